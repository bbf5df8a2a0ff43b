"""Changes to how Hydra composes: the order of the user's own files, and overrides that name another class.

Hydra has no hooks for the order of the list of defaults, or for the application of overrides, so importing this module
replaces its functions. Programs whose primary config is not in conf/ get what Hydra's functions return.
"""

from typing import Any

from hydra._internal import config_loader_impl
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import IConfigRepository
from hydra._internal.defaults_list import DefaultsList, create_defaults_list
from hydra.core.override_parser.types import Override
from omegaconf import DictConfig

from attest.config.hydra.class_overrides import apply_overrides_dropping_foreign, hydra_apply_overrides
from attest.config.hydra.defaults_order import ordered_defaults_list
from attest.config.hydra.scope import is_of_attest


class AttestOverrides(list[Override]):
    """The overrides of a composition from conf/. Hydra passes the list on to where it applies them."""


def defaults_list_by_origin(
    repo: IConfigRepository, config_name: str | None, overrides_list: list[Override], **options: Any
) -> DefaultsList:
    """Return Attest's list of defaults for a composition from conf/, and Hydra's for any other one."""
    if not is_of_attest(repo.get_sources()):
        return create_defaults_list(repo, config_name, overrides_list, **options)
    chosen = ordered_defaults_list(repo, config_name, overrides_list, **options)
    chosen.config_overrides = AttestOverrides(chosen.config_overrides)
    return chosen


def apply_overrides_by_origin(overrides: list[Override], config: DictConfig) -> None:
    """Apply overrides as Attest does in a composition from conf/, and as Hydra does in any other one."""
    apply = apply_overrides_dropping_foreign if isinstance(overrides, AttestOverrides) else hydra_apply_overrides
    apply(overrides, config)


config_loader_impl.create_defaults_list = defaults_list_by_origin  # pyright: ignore[reportPrivateImportUsage]
ConfigLoaderImpl._apply_overrides_to_config = staticmethod(apply_overrides_by_origin)  # pyright: ignore
