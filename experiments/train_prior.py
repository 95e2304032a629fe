"""Trains the weights with which `adaptive` begins a crawl, from crawls of recorded webs and labyrinths.

    python experiments/train_prior.py [--topics N] [--budget N] [--jobs N]

Each crawl is guided by adaptive itself with weights set by hand. Now and then some of its waiting candidates, the best
and others at random, are written down with their clues and the truth about them; a recorded web knows that of all. The
weights then minimise the log loss, pulled towards those set by hand. "trained" comes from all worlds; for every web
there is also one from all OTHERS, "trained without webkb": experiments say `prior='trained without {web}'`. Printed is
how well each of these ranks the candidates of the web that it has not seen, beside the weights set by hand.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from clew import strategies
from clew.core.simulation import run_simulation
from clew.lab.judges import judge
from clew.lab.planning import family, sample
from clew.lab.worlds import find
from clew.learning import logistic
from clew.strategies._adaptive import model
from clew.strategies._adaptive.features import NAMES
from clew.strategies.adaptive import Adaptive

RECORDED = ("wikischools-hard", "webkb", "pydocs")
LABYRINTHS = ("labyrinth:3000:plain:3", "labyrinth:3000:tunnel:5", "labyrinth:3000:poor:7")
FILE = Path(model.__file__).with_name("priors.json")
EVERY, BEST, RANDOM = 10, 15, 15  # visits between two looks at the frontier, and the candidates taken each time
PULL = 2.0  # ridge towards the hand-set weights, for each row; with less the weights suit only the webs they know


class Watched(Adaptive):
    """adaptive that writes down what it sees."""

    def look_on(self, world: Any, topic: str) -> Watched:
        self.world, self.truth, self.rows = world, world.truth(topic) == 1, []
        return self

    def learn(self, page: Any) -> Any:
        stale = super().learn(page)
        if self._features.visits % EVERY == 0:
            self._write_down()
        return stale

    def _write_down(self) -> None:
        frontier = self._crawl.frontier
        slots = frontier._table.queued()
        scores, chances = frontier._table.column("score")[slots], np.random.default_rng(self._features.visits)
        best = slots[np.argsort(-scores, kind="stable")[:BEST]]
        others = chances.choice(slots, min(RANDOM, len(slots)), replace=False) if len(slots) else slots
        candidates = frontier.candidates(np.union1d(best, others).tolist())
        rows, owners, _ = self._rows(candidates)
        margins = self._model.margin(rows)
        for owner in np.unique(owners):
            mine = np.flatnonzero(owners == owner)
            page = self.world.id_of(candidates[owner].url)
            if page is not None:
                self.rows.append((rows[mine[margins[mine].argmax()]], float(self.truth[page])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=12)
    parser.add_argument("--budget", type=int, default=240)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    tasks = [task for world in (*RECORDED, *LABYRINTHS) for task in tasks_of(world, args.topics, args.budget)]
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        crawls = []
        for number, crawl in enumerate(pool.map(crawled, tasks)):
            crawls.append(crawl)
            print(f"\r{number + 1} of {len(tasks)} crawls", end="", flush=True)
    print()
    known = json.loads(FILE.read_text("utf-8"))
    weights = {"hand": known["weights"]["hand"]}
    for held in ("", *dict.fromkeys(map(family, (*RECORDED, *LABYRINTHS)))):
        chosen = [crawl for crawl in crawls if crawl is not None and family(crawl[0]) != held]
        name = f"trained without {held}" if held else "trained"
        weights[name] = fitted(chosen)
        print(f"{name}: {sum(len(crawl[2]) for crawl in chosen):,} rows")
        if unseen := [crawl for crawl in crawls if crawl is not None and family(crawl[0]) == held]:
            by_hand, trained = (ranking(weights[kind], unseen) for kind in ("hand", name))
            print(f"  relevant above irrelevant on {held}: {by_hand:.3f} by hand, {trained:.3f} trained elsewhere")
    FILE.write_text(_text({"about": known["about"], **_origin(args), "weights": weights}), "utf-8")


def tasks_of(world: str, topics: int, budget: int) -> list[tuple[str, str, int, str, int]]:
    """Half guided by the truth, half by a classifier, from start pages at every distance."""
    chosen = sample(find(world), topics if world in RECORDED else 3)
    return [
        (world, topic, distance, ("truth", "classifier")[(place + distance) % 2], budget)
        for place, topic in enumerate(chosen)
        for distance in (0, 1, 2)
    ]


def crawled(task: tuple[str, str, int, str, int]) -> tuple[str, Any, Any] | None:
    """The rows of one crawl: world, clues, truth."""
    name, topic, distance, kind, budget = task
    world = _world(name)
    seeds = world.seeds(topic, 3, distance, 77)
    if not seeds:
        return None
    interest, _ = judge(kind, world, topic, 77)
    strategy = Watched("hand").look_on(world, topic)
    run_simulation(world.fetcher(), interest, seeds, strategy=strategy, pages=budget, threshold=0.5)
    if not strategy.rows:
        return None
    return name, np.array([row for row, _ in strategy.rows]), np.array([found for _, found in strategy.rows])


def fitted(crawls: list[tuple[str, Any, Any]]) -> dict[str, float]:
    """Weights for the linear clues; every crawl weighs the same, labyrinths half."""
    share = [0.5 if crawl[0].startswith("labyrinth") else 1.0 for crawl in crawls]
    chances = np.random.default_rng(0)
    picks = [chances.choice(len(y), int(600 * part)) for part, (_, _, y) in zip(share, crawls, strict=True)]
    x = np.vstack([crawl[1][pick] for pick, crawl in zip(picks, crawls, strict=True)])
    y = np.concatenate([crawl[2][pick] for pick, crawl in zip(picks, crawls, strict=True)])
    found = logistic.fit(model._with_bias(x), y, model.prior("hand"), PULL * len(y))
    named = {NAMES[place]: round(float(weight), 4) for place, weight in zip(model.LINEAR, found, strict=False)}
    return {"bias": round(float(found[-1]), 4)} | named


def ranking(weights: dict[str, float], crawls: list[tuple[str, Any, Any]]) -> float:
    """How often a relevant candidate stands above an irrelevant one of its crawl: the area under the ROC curve."""
    told = [(y, model._linear(x, model.in_order(weights))) for _, x, y in crawls if 0 < y.sum() < len(y)]
    return float(np.mean([roc_auc_score(y, margin) for y, margin in told]))


def _origin(args: argparse.Namespace) -> dict[str, Any]:
    digests = {name: find(name).digest for name in (*RECORDED, *LABYRINTHS)}
    return {
        "script": "experiments/train_prior.py",
        "date": time.strftime("%Y-%m-%d"),
        "topics": args.topics,
        "budget": args.budget,
        "worlds": digests,
    }


def _text(data: dict[str, Any]) -> str:
    """JSON with one line for each prior."""
    weights = data.pop("weights")
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(kept)}" for name, kept in weights.items())
    return json.dumps(data, indent=1)[:-2] + f',\n "weights": {{\n{lines}\n }}\n}}\n'


@lru_cache(maxsize=1)
def _world(name: str) -> Any:
    return find(name)


if __name__ == "__main__":
    assert "adaptive" in strategies.names()
    main()
