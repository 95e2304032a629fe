"""Trains the prior weights of the adaptive strategy on crawls of recorded webs and labyrinths.

    python experiments/train_prior.py [--topics N] [--budget N] [--jobs N]

Each crawl is run by adaptive itself with weights set by hand, with live manners, guided by the truth, a classifier, or
the keywords or examples of a user. Every few visits some waiting candidates, the best ones
and random ones, are recorded with their features and the truth about them, which a recorded web knows for all pages.
The trained weights minimise the log loss with a ridge penalty towards those set by hand. "trained" comes from all
worlds; for every web there is also a prior from all OTHERS, such as "trained without webkb", for experiments with
`prior='trained without {web}'`. The script prints how well each of these ranks the candidates of the web that it has
not seen, beside the weights set by hand.
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
GUIDES = ("truth", "keywords", "classifier", "examples:20")
MANNERS = "live"
SAMPLE_EVERY_VISITS = 10
BEST_CANDIDATES = 15  # recorded each time
RANDOM_CANDIDATES = 15
ROWS_PER_CRAWL = 600
# Ridge penalty towards the weights set by hand, per row. With less the weights fit only the webs they were trained on.
RIDGE_PER_ROW = 2.0

Task = tuple[str, str, int, str, int]  # world, topic, distance, guide, budget
Crawled = tuple[str, Any, Any]  # world, features, truth


class Watched(Adaptive):
    """The adaptive strategy, which also records candidates with their features."""

    def look_on(self, world: Any, topic: str) -> Watched:
        self.world = world
        self.truth = world.truth(topic) == 1
        self.rows: list[tuple[Any, float]] = []
        return self

    def learn(self, page: Any) -> Any:
        stale = super().learn(page)
        if self.features.visits % SAMPLE_EVERY_VISITS == 0:
            self._record()
        return stale

    def _record(self) -> None:
        frontier = self._crawl.frontier
        slots = frontier._table.queued()
        scores = frontier._table.column("score")[slots]
        chances = np.random.default_rng(self.features.visits)
        best = slots[np.argsort(-scores, kind="stable")[:BEST_CANDIDATES]]
        others = chances.choice(slots, min(RANDOM_CANDIDATES, len(slots)), replace=False) if len(slots) else slots
        candidates = frontier.candidates(np.union1d(best, others).tolist())
        rows, owners, _ = self._rows(candidates)
        margins = self.model.margin(rows)
        for owner in np.unique(owners):
            mine = np.flatnonzero(owners == owner)
            page = self.world.id_of(candidates[owner].url)
            if page is not None:
                best_link = mine[margins[mine].argmax()]
                self.rows.append((rows[best_link], float(self.truth[page])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=12)
    parser.add_argument("--budget", type=int, default=240)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    tasks: list[Task] = []
    for world in (*RECORDED, *LABYRINTHS):
        tasks += tasks_of(world, args.topics, args.budget)
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        crawls: list[Crawled] = []
        for number, crawl in enumerate(pool.map(crawled, tasks)):
            if crawl is not None:
                crawls.append(crawl)
            print(f"\r{number + 1} of {len(tasks)} crawls", end="", flush=True)
    print()
    known = json.loads(FILE.read_text("utf-8"))
    weights = {"hand": known["weights"]["hand"]}
    for held in ("", *dict.fromkeys(map(family, (*RECORDED, *LABYRINTHS)))):
        chosen = [crawl for crawl in crawls if family(crawl[0]) != held]
        name = f"trained without {held}" if held else "trained"
        weights[name] = fitted(chosen)
        print(f"{name}: {sum(len(crawl[2]) for crawl in chosen):,} rows")
        unseen = [crawl for crawl in crawls if family(crawl[0]) == held]
        if unseen:
            by_hand = ranking(weights["hand"], unseen)
            trained = ranking(weights[name], unseen)
            print(f"  area under the ROC curve on {held}: {by_hand:.3f} by hand, {trained:.3f} trained elsewhere")
    FILE.write_text(_text({"about": known["about"], **_origin(args), "weights": weights}), "utf-8")


def tasks_of(world: str, topics: int, budget: int) -> list[Task]:
    """Crawls with every kind of judge, those of users among them, from start pages at every distance."""
    chosen = sample(find(world), topics if world in RECORDED else 3)
    tasks: list[Task] = []
    for place, topic in enumerate(chosen):
        for distance in (0, 1, 2):
            guide = GUIDES[(place + distance) % len(GUIDES)]
            tasks.append((world, topic, distance, guide, budget))
    return tasks


def crawled(task: Task) -> Crawled | None:
    """The recorded candidates of one crawl; None if there are none."""
    name, topic, distance, kind, budget = task
    world = _world(name)
    seeds = world.seeds(topic, 3, distance, 77)
    if not seeds:
        return None
    interest, _ = judge(kind, world, topic, 77)
    strategy = Watched("hand").look_on(world, topic)
    run_simulation(
        world.fetcher(), interest, seeds, strategy=strategy, pages=budget, threshold=0.5, manners=MANNERS, parallel=16
    )
    if not strategy.rows:
        return None
    return name, np.array([row for row, _ in strategy.rows]), np.array([found for _, found in strategy.rows])


def fitted(crawls: list[Crawled]) -> dict[str, float]:
    """Weights of the linear features; every crawl counts the same, labyrinths half."""
    share = [0.5 if crawl[0].startswith("labyrinth") else 1.0 for crawl in crawls]
    chances = np.random.default_rng(0)
    picks = [chances.choice(len(y), int(ROWS_PER_CRAWL * part)) for part, (_, _, y) in zip(share, crawls, strict=True)]
    x = np.vstack([crawl[1][pick] for pick, crawl in zip(picks, crawls, strict=True)])
    y = np.concatenate([crawl[2][pick] for pick, crawl in zip(picks, crawls, strict=True)])
    found = logistic.fit(model._with_bias(x), y, model.prior("hand"), RIDGE_PER_ROW * len(y))
    by_name = {NAMES[place]: round(float(weight), 4) for place, weight in zip(model.LINEAR, found, strict=False)}
    return {"bias": round(float(found[-1]), 4)} | by_name


def ranking(weights: dict[str, float], crawls: list[Crawled]) -> float:
    """The mean area under the ROC curve: how often a relevant candidate ranks above an irrelevant one of its crawl."""
    vector = model.in_order(weights)
    areas = [roc_auc_score(y, model._linear(x, vector)) for _, x, y in crawls if 0 < y.sum() < len(y)]
    return float(np.mean(areas))


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
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(prior)}" for name, prior in weights.items())
    return json.dumps(data, indent=1)[:-2] + f',\n "weights": {{\n{lines}\n }}\n}}\n'


@lru_cache(maxsize=1)
def _world(name: str) -> Any:
    return find(name)


if __name__ == "__main__":
    assert "adaptive" in strategies.names()
    main()
