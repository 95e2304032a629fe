"""The model of a judge that learns, as plain values and arrays for a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clew.interests.crawl_model import CrawlModel, Nearby, Scale
from clew.interests.evidence import Rarity
from clew.interests.page_table import WORD_COLUMNS
from clew.learning.soft_logistic import LinearModel
from clew.learning.two_groups import Split


def plain(model: CrawlModel) -> dict[str, Any]:
    """What `model_of` reads."""
    columns = np.flatnonzero(model.text.weights).astype(np.int32)
    return {
        "columns": columns,
        "weights": model.text.weights[columns],
        "bias": model.text.bias,
        "rarity": (model.rarity.weights, model.rarity.mean_length),
        "scales": {name: tuple(scale) for name, scale in model.scales.items()},
        "splits": (tuple(model.draft), tuple(model.final)),
        "nearby": tuple(model.nearby),
        "cut": model.cut,
        "tilt": model.tilt,
    }


def model_of(saved: Mapping[str, Any]) -> CrawlModel:
    """The model that `plain` was given."""
    weights = np.zeros(WORD_COLUMNS)
    weights[saved["columns"]] = saved["weights"]
    draft, final = saved["splits"]
    return CrawlModel(
        text=LinearModel(weights, saved["bias"]),
        rarity=Rarity(*saved["rarity"]),
        scales={name: Scale(*scale) for name, scale in saved["scales"].items()},
        draft=Split(*draft),
        final=Split(*final),
        nearby=Nearby(*saved["nearby"]),
        cut=saved["cut"],
        tilt=tuple(saved["tilt"]),
    )
