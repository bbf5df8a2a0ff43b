"""The changes that Attest makes to Hydra: the order of the user's own files, and overrides that name another class.

Hydra has no hooks for the order of the list of defaults, or for the application of overrides, so importing this module
replaces its functions.
"""

from hydra._internal import config_loader_impl
from hydra._internal.config_loader_impl import ConfigLoaderImpl

from attest.config.class_overrides import apply_overrides_to_class
from attest.config.defaults_order import ordered_defaults_list

config_loader_impl.create_defaults_list = ordered_defaults_list  # pyright: ignore[reportPrivateImportUsage]
ConfigLoaderImpl._apply_overrides_to_config = staticmethod(apply_overrides_to_class)  # pyright: ignore
