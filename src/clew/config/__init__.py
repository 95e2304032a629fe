"""Settings: one list for Python, TOML and the command line."""

from clew.config.loading import WRITTEN, configure, flatten, plain, read, read_folder, unknown, write
from clew.config.settings import HINTS, SECTIONS, SETTINGS, Config, Fetch, Keep, Scope, Topic, Until, What
from clew.config.typed import Settings

__all__ = [
    "HINTS",
    "SECTIONS",
    "SETTINGS",
    "WRITTEN",
    "Config",
    "Fetch",
    "Keep",
    "Scope",
    "Settings",
    "Topic",
    "Until",
    "What",
    "configure",
    "flatten",
    "plain",
    "read",
    "read_folder",
    "unknown",
    "write",
]
