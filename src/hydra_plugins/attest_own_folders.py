"""The plugin by which Hydra finds settings in the user's own folders, in this process and in those of launchers."""

from hydra.core.config_search_path import ConfigSearchPath
from hydra.plugins.search_path_plugin import SearchPathPlugin


class OwnFoldersPlugin(SearchPathPlugin):
    """The plugin that adds the user's own folders behind the shipped one."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        from attest.config.own_folders import own_configs  # Hydra imports this file whenever it starts
        from attest.config.precedence import OWN_FOLDER

        for folder in own_configs():
            search_path.append(OWN_FOLDER, f"file://{folder}")
