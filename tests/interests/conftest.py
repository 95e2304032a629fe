from __future__ import annotations

import pytest

from clew.config import Topic
from clew.text.terms import terms
from clew.types import Doc

SAILING = [
    "Sailing in strong wind needs a firm hand on the tiller and a reefed main sail",
    "The yacht left the harbour under full sail, the crew trimmed the jib",
    "A regatta for small dinghies: mast, boom, sail and a race around the buoys",
    "How to anchor a yacht: wind, waves, the bay and enough chain",
    "Learn to sail: knots, courses to the wind, tack and gybe your dinghy",
    "The skipper and crew of the yacht crossed the sea under sail in nine days",
]
GOLF = [
    "Golf clubs: driver, iron and putter, and how to swing them",
    "The golf course has eighteen holes, sand bunkers and fast greens",
    "She made a birdie on the last hole and won the golf tournament",
    "A better golf swing: grip, stance, and the ball on the tee",
    "Handicap rules in golf: strokes for each hole and the score card",
    "The caddie carries the golf bag and knows each green of the course",
]


def doc_of(text: str, **more: object) -> Doc:
    language = str(more.get("language", "en"))
    return Doc(url="https://example.org/a", text=text, terms=terms(text, language), **more)  # type: ignore[arg-type]


@pytest.fixture
def doc():
    return doc_of


@pytest.fixture
def shelf():
    """A `read` function with two sources of example documents."""
    books = {"sailing/": [doc_of(t) for t in SAILING], "golf/": [doc_of(t) for t in GOLF]}
    return lambda source: books[source]


@pytest.fixture
def taxonomy():
    """The part of the taxonomy used in the Ariadne paper."""
    return {
        "tourism": Topic(keywords=("tourism", "hotel")),
        "sports": Topic(parent="tourism", keywords=("sports",)),
        "water sports": Topic(parent="sports", keywords=("surfing", "diving")),
        "sailing": Topic(parent="water sports", keywords=("sailing", "yacht")),
        "Mecklenburg-Vorpommern": Topic(keywords=("Mecklenburg", "Schwerin")),
        "ruegen": Topic(parent="Mecklenburg-Vorpommern", keywords=("ruegen", "Binz")),
    }
