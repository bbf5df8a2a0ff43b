"""The plugin by which Hydra finds settings in the user's own folders, in this process and in those of launchers."""

from hydra.core.config_search_path import ConfigSearchPath
from hydra.plugins.search_path_plugin import SearchPathPlugin


class OwnFoldersPlugin(SearchPathPlugin):
    """The plugin that adds the user's own folders behind conf/, and leaves the search path of other programs alone."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        from attest.config.hydra.scope import is_of_attest  # Hydra imports this file whenever a program starts it

        if not is_of_attest(search_path.get_path()):
            return
        from attest.config.hydra.precedence import OWN_FOLDER
        from attest.config.own_folders import own_configs

        for folder in own_configs():
            search_path.append(OWN_FOLDER, f"file://{folder}")
