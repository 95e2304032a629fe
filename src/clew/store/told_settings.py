"""The settings of a crawl folder, with those that an order has changed.

crawl.toml is written after the commit that takes an order. If the crawl is killed between the two, the database knows
better: the settings that an order has changed stand there, too, until crawl.toml has them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, Protocol

from clew import config as settings_of
from clew.config import SETTINGS, Config, configure
from clew.store.database import SHARDS
from clew.store.rows import loaded

SETTINGS_FILE: Final = "crawl.toml"
TOLD: Final = "told settings"
"""The fact that holds the settings which crawl.toml may lack, as JSON."""


class HasFacts(Protocol):
    """The part of a store in which such settings are kept."""

    folder: Path

    def get(self, name: str, default: str = "") -> str:
        """Get a fact about the whole crawl."""
        ...


def settings_in(store: HasFacts) -> Config:
    """The settings with which a crawl goes on."""
    changed = loaded(store.get(TOLD) or "{}")
    return configure(settings_of.read_folder(_folder_with_settings(store.folder)), **changed)


def _folder_with_settings(folder: Path) -> Path:
    """A machine that has only shards of a crawl knows its settings from one of them."""
    if (folder / SETTINGS_FILE).is_file():
        return folder
    return next((path.parent for path in sorted((folder / SHARDS).glob(f"*/{SETTINGS_FILE}"))), folder)


def difference(before: Config, after: Config) -> str:
    """The settings that differ, as JSON that `settings_in` reads; "" if there are none.

    >>> difference(configure(pages=100), configure(pages=200, deny=["ads.example"]))
    '{"deny": ["ads.example"], "pages": 200}'
    """
    changed: dict[str, Any] = {}
    for name, (section, _) in SETTINGS.items():
        value = getattr(getattr(after, section), name)
        if value != getattr(getattr(before, section), name):
            changed[name] = value
    return json.dumps(changed, sort_keys=True) if changed else ""
