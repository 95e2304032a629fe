"""A cache of trial results: one small file for each trial, named by everything that determines the result."""

from __future__ import annotations

import json
import os
import re
import zipfile
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np

from clew.core.manners import STILL
from clew.lab import cache, sources
from clew.lab.task import opened
from clew.lab.trial import Trial, TrialResult
from clew.lab.trial_result import JITTER
from clew.lab.worlds import World

FORMAT: Final = 1  # version of the files; raise it when what they hold changes
ARRAYS: Final = ("found", "best", "visits", "times", "distances")


def key(trial: Trial) -> str:
    """The name of a result: a digest of the trial, the content of its world, and the code that takes part."""
    # Renaming a strategy in an experiment must not rerun it: only the recipe determines the result.
    unnamed = replace(trial, strategy="", spec=trial.recipe)
    inputs = repr((FORMAT, unnamed, fingerprint(opened(trial.world)), sources.digest(trial.recipe)))
    # These are left out of the repr of a trial: results that are older than the fields keep their keys.
    if trial.link_source:
        inputs += "link_source"
    if trial.manners != STILL:
        inputs += f"manners {trial.manners}"
    if trial.repeat:
        inputs += f"repeat {trial.repeat}"
    if trial.repeat and trial.jitter != JITTER:
        inputs += f"jitter {trial.jitter}"
    if trial.learn_visits:
        inputs += f"learn_visits {trial.learn_visits}"
    if trial.place:
        inputs += f"place {trial.place}"
    if trial.learned:
        inputs += f"learned {trial.learned}"
    for formula in (trial.topic, trial.learned):
        inputs += _functions(formula)
    return blake2b(inputs.encode(), digest_size=16).hexdigest()


def _functions(formula: str) -> str:
    """The code of the user's functions in a formula: python("module:function")."""
    modules = re.findall(r'python\("([\w.]+):', formula)
    return repr([sources.closure(module) for module in modules]) if modules else ""


def get(name: str, trial: Trial) -> TrialResult | None:
    """The cached result of that name; None if there is none, or if its file is damaged."""
    with (
        suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile),
        _path(name).open("rb") as file,
        np.load(file, allow_pickle=False) as saved,
    ):
        facts = json.loads(str(saved["told"]))
        arrays = {array: saved[array] for array in ARRAYS}
        return TrialResult(trial, facts["numbers"], spent=facts["spent"], reason=facts["reason"], **arrays)
    return None


def put(name: str, result: TrialResult) -> None:
    """Save a result; if the disk is full or read-only, the next run computes it again."""
    facts = json.dumps({"numbers": result.numbers, "spent": dict(result.spent), "reason": result.reason})
    arrays = {array: getattr(result, array) for array in ARRAYS}
    path = _path(name)
    # Several processes may write the same result. Each has a file of its own and renames it at the end, so a reader
    # never sees half a file.
    unfinished = path.with_suffix(f".{os.getpid()}.part")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with unfinished.open("wb") as file:
                np.savez_compressed(file, told=np.array(facts), **arrays)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


def fingerprint(world: World) -> str:
    """A digest that tells a world from every other, in the form in which it is stored."""
    return str(getattr(world, "digest", "") or content(world))


def content(world: World) -> str:
    """A digest of the pages, links and topics of a world, however they are stored."""
    pages = blake2b("\n".join(world.urls).encode("utf-8", "surrogatepass"), digest_size=12)
    pages.update(world.graph.offsets.tobytes() + world.graph.targets.tobytes())
    pages.update(repr(sorted(world.topics.items())).encode())
    return pages.hexdigest()


def _path(name: str) -> Path:
    # Folders by the first two digits: no folder grows to many thousands of files.
    return cache.folder() / "trials" / name[:2] / f"{name}.npz"
