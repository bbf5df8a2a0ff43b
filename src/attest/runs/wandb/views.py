"""Views on Weights & Biases: save a dashboard as a workspace and a report, or write them to a file without a key."""

from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import wandb

from attest.config.settings import Logger
from attest.errors import MirrorError, SettingsError
from attest.runs.dashboards import Dashboard, Report
from attest.runs.identity import digest
from attest.runs.wandb.errors import translate_wandb_errors
from attest.system.files import write_json

SEND_AGAIN = "; repeat the command to send it again"


def check_installed(command: str) -> None:
    """Raise SettingsError if wandb-workspaces is not installed, which `command` needs."""
    if find_spec("wandb_workspaces") is None:
        raise SettingsError(f"{command}: wandb-workspaces is not installed; type pip install 'attest[wandb]'")


def write_view(view: Dashboard | Report, logger: Logger, path: Path) -> None:
    """Write a dashboard as a workspace, or a report, to a JSON file in W&B's format. It names no runs of a project."""
    from attest.runs.wandb.pages import wandb_report, workspace_of

    if isinstance(view, Dashboard):
        model = workspace_of(view, logger.entity or "", logger.project)._to_model()
    else:
        model = wandb_report(view, logger.entity or "", logger.project, linked=False)._to_model()
    write_json(path, model.model_dump(mode="json", by_alias=True, exclude_none=True))


def send_workspace(dashboard: Dashboard, logger: Logger) -> str:
    """Save a dashboard as a workspace, in place of the one that was saved before; return its address."""
    from wandb_workspaces.workspaces.internal import get_view_dict

    from attest.runs.wandb.pages import workspace_of

    with translate_wandb_errors(f"{dashboard.title}: not sent", SEND_AGAIN):
        entity = owner_of(logger, wandb.Api())
        workspace = workspace_of(dashboard, entity, logger.project)
        name = digest(dashboard.name)[:11]
        workspace._internal_name = f"nw-{name}-v"  # so W&B names its own views
        with suppress(ValueError):  # raised if there is no such view yet
            workspace._internal_id = get_view_dict(entity, logger.project, name)["id"]
        workspace.save()
        return workspace.url


def send_report(report: Report, logger: Logger) -> str:
    """Save a report, in place of the one of the same title; return its address."""
    from attest.runs.wandb.pages import wandb_report

    with translate_wandb_errors(f"{report.title}: not sent", SEND_AGAIN):
        api = wandb.Api()
        entity = owner_of(logger, api)
        page = wandb_report(report, entity, logger.project, linked=True)
        saved: Any = api.reports(f"{entity}/{logger.project}")
        page.id = next((known.id for known in saved if known.display_name == report.title), "")
        page.save()
        return page.url


def owner_of(logger: Logger, api: wandb.Api) -> str:
    """Return the user or team that owns the project: that of the settings, else the default one of the API key.

    Raise MirrorError if there is neither, or no such project.
    """
    owner = logger.entity or api.default_entity
    if owner is None:
        raise MirrorError("W&B names no default entity for this API key; type logger.entity=NAME")
    if all(project.name != logger.project for project in api.projects(owner)):
        raise MirrorError(f"{owner}/{logger.project}: no such project on W&B; run attest wandb push first")
    return owner
