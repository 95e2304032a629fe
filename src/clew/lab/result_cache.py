"""Results that are there already: one small file for each trial, named by all that determines it."""

from __future__ import annotations

import json
import os
import zipfile
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np

from clew.lab import cache, sources
from clew.lab.task import opened
from clew.lab.trial import Trial, TrialResult
from clew.lab.worlds import World

FORMAT: Final = 1
ARRAYS: Final = ("found", "best", "visits", "distances")


def key(trial: Trial) -> str:
    """The name of a result: the trial, the content of its world, and the code that takes part.

    What tables call the strategy is no part of it.
    """
    told = replace(trial, strategy="", spec=trial.recipe)
    inputs = repr((FORMAT, told, fingerprint(opened(trial.world)), sources.digest(trial.recipe)))
    if trial.link_source:  # only then, so that results keep the names they had before there was such a thing
        inputs += "link_source"
    return blake2b(inputs.encode(), digest_size=16).hexdigest()


def get(name: str, trial: Trial) -> TrialResult | None:
    """The result of that name, if it was kept and is not damaged."""
    with (
        suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile),
        _place(name).open("rb") as file,
        np.load(file, allow_pickle=False) as kept,
    ):
        told = json.loads(str(kept["told"]))
        arrays = {array: kept[array] for array in ARRAYS}
        return TrialResult(trial, told["numbers"], spent=told["spent"], reason=told["reason"], **arrays)
    return None


def put(name: str, result: TrialResult) -> None:
    """Keep a result; where there is no room or no right to write, the next run makes it again."""
    told = json.dumps({"numbers": result.numbers, "spent": dict(result.spent), "reason": result.reason})
    place = _place(name)
    unfinished = place.with_suffix(f".{os.getpid()}.part")
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with unfinished.open("wb") as file:
                np.savez_compressed(file, told=np.array(told), **{array: getattr(result, array) for array in ARRAYS})
            unfinished.replace(place)
        finally:
            unfinished.unlink(missing_ok=True)


def fingerprint(world: World) -> str:
    """What tells a world, in the form in which it is kept, from every other."""
    return str(getattr(world, "digest", "") or content(world))


def content(world: World) -> str:
    """Of the pages, links and topics of a world, however they are kept."""
    pages = blake2b("\n".join(world.urls).encode("utf-8", "surrogatepass"), digest_size=12)
    pages.update(world.graph.offsets.tobytes() + world.graph.targets.tobytes())
    pages.update(repr(sorted(world.topics.items())).encode())
    return pages.hexdigest()


def _place(name: str) -> Path:
    return cache.folder() / "trials" / name[:2] / f"{name}.npz"
