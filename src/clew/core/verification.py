"""Verifies a crawl folder, with its last checkpoint, and repairs what can be repaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from clew.base.described import described
from clew.core import feedback
from clew.core.checkpoint import replay, replay_all
from clew.core.engine import Engine
from clew.errors import ConfigError, InterestError, StoreError, StrategyError
from clew.store import Records, open_folder
from clew.store import verification as files
from clew.store.database import is_whole
from clew.store.findings import Advance, Finding, Verification, finding
from clew.store.told_settings import settings_in
from clew.store.whole import MARK, shard_folders

CHECKPOINT: Final = "checkpoint"


def verify(folder: Path, advance: Advance = lambda done, total: None, mend: bool = False) -> Verification:
    """Read database, archive and checkpoint and compare them; with `mend`, make them agree as far as possible."""
    if is_whole(folder):
        return _together(folder, [verify(path, advance, mend) for path in shard_folders(folder)])
    found = files.verify(folder, advance)
    if mend:
        found = files.repair(folder, found)
        if any(each.kind == files.DATABASE and each.is_repaired for each in found.findings):
            # The rest could not be read before.
            again = files.repair(folder, files.verify(folder, advance))
            found = replace(again, findings=[*found.findings, *again.findings])
    is_readable = all(each.kind != files.DATABASE or each.is_repaired for each in found.findings)
    more = _checkpoint(folder) if is_readable else []
    if mend and any(each.kind == CHECKPOINT for each in more):
        more = [_rebuilt(folder, each) for each in more]
    return replace(found, findings=[*found.findings, *more])


def _together(folder: Path, shards: Sequence[Verification]) -> Verification:
    """What was found in the folders of all shards that are here."""
    findings: list[Finding] = []
    for found in shards:
        name = Path(found.folder).name
        findings += [replace(each, text=f"shard {name}: {each.text}") for each in found.findings]
    pages, answers, size = (sum(getattr(found, each) for found in shards) for each in ("pages", "answers", "bytes"))
    return Verification(str(folder), pages, answers, size, findings)


def _checkpoint(folder: Path) -> list[Finding]:
    """Whether the crawl can go on: the checkpoint loads, and the visits since can be applied."""
    with Records(folder) as records:
        try:
            config = records.config
        except ConfigError as error:
            return finding("settings", "faults of crawl.toml: the crawl cannot go on", [str(error)], is_loss=True)
        try:
            state = feedback.state_of_folder(config, records.store)
        except (InterestError, StrategyError):
            # The crawl was made with objects that only the caller of `crawl` had.
            return []
        try:
            replay(state, records.store)
        # Whatever is damaged, a check must say so.
        except Exception as error:
            text = "faults of the checkpoint: the crawl cannot go on"
            repair = [("every visit is applied again", ())]
            return finding(CHECKPOINT, text, [described(error)], is_loss=True, repair=repair)
    return []


def _rebuilt(folder: Path, found: Finding) -> Finding:
    """Write the checkpoint anew, from the start pages and all visits; labels are applied again by the next run."""
    with open_folder(folder) as store:
        if store.get(MARK):
            # Without the letters of other shards, which only the checkpoint holds, candidates would be missing.
            return found
        state = feedback.state_of_folder(settings_in(store), store)
        engine = Engine(state, feedback.Offline(), store, clock=lambda: 0.0)
        try:
            replay_all(state, store)
        except StoreError:
            return found
        engine.earlier = store.progress().get("seconds", 0.0)
        store.db.execute("UPDATE labels SET taken = NULL")
        # What these have changed in the frontier is gone as well; the settings of other orders are in crawl.toml.
        store.db.execute("UPDATE orders SET taken = NULL WHERE kind IN ('seeds', 'deny', 'allow')")
        # Pieces of the old one may be damaged, and must not stay for having the right names.
        store.db.execute("DELETE FROM checkpoints")
        engine.commit(checkpoint=True)
    return replace(found, is_repaired=True, is_loss=False)
