from __future__ import annotations

import Stemmer

from clew.labyrinth.prose import ENGLISH
from clew.labyrinth.wordlists import LEAVES, NOISE, PATHS, WORDS


def test_the_taxonomy_has_thirty_leaves_with_names_of_their_own():
    assert len(LEAVES) == 30
    assert len(PATHS) == len(WORDS)
    assert all(WORDS[path][0] == path.rpartition("/")[2] for path in LEAVES)
    assert all(len(WORDS[path]) >= 30 for path in LEAVES)


def test_no_stem_belongs_to_two_topics():
    stem = Stemmer.Stemmer("english").stemWord
    owners: dict[str, set[str]] = {}
    general = [word for words in ENGLISH.values() for word in words.split()]
    for name, words in [*WORDS.items(), ("noise", NOISE), ("general", general)]:
        for word in words:
            owners.setdefault(stem(word), set()).add(name)
    assert {stem: names for stem, names in owners.items() if len(names) > 1} == {}
