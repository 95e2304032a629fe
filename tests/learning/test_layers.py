from __future__ import annotations

import numpy as np
import pytest

from clew.base import codec
from clew.learning.layers import Layers, posterior, train

T12 = [
    {"paper": 8, "pdf": 6, "dept": 1, "news": 1},
    {"paper": 2, "pdf": 2, "dept": 9, "news": 3},
    {"paper": 1, "dept": 3, "news": 12},
]


def test_t12_posteriors_and_expected_distance() -> None:
    model = train([[terms] for terms in T12])
    chances = posterior(model, {"dept": 2, "paper": 1})
    assert chances == pytest.approx([0.0978, 0.8152, 0.0870], abs=5e-5)
    assert chances @ np.arange(3) == pytest.approx(0.9891, abs=5e-5)


def test_large_layers_are_no_likelier() -> None:
    """Layers differ tenfold in size; the priors are equal."""
    model = train([[{"paper": 1, "news": 1}], [{"news": 1, "dept": 1}] * 50])
    assert posterior(model, {}) == pytest.approx([0.5, 0.5])
    assert posterior(model, {"unknown": 3}) == pytest.approx([0.5, 0.5])


def test_only_the_telling_terms_of_a_document_count() -> None:
    docs = [{"the": 9, "paper": 2, f"w{i}": 1} for i in range(4)]
    model = train([docs, [{"the": 9, "dept": 2, "room": 1}]], most=2)
    assert "the" not in model["words"]
    assert model["counts"].sum(axis=1).tolist() == [4 * 3, 3]
    chances = posterior(model, {"dept": 1, "paper": 9, "w0": 9}, most=1)
    assert chances[0] > 0.5


def test_a_model_can_be_saved() -> None:
    model = train([[terms] for terms in T12])
    again: Layers = codec.loads(codec.dumps(dict(model)))
    assert posterior(again, {"news": 2}).tolist() == posterior(model, {"news": 2}).tolist()
