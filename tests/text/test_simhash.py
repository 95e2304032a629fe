"""Fingerprints: equal for equal words, near for near texts, far for others; neighbours are always found."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.text.simhash import NEAR, Neighbours, hamming, simhash

WORDS = [f"word{number}" for number in range(3000)]


def test_hamming():
    assert hamming(0b1011, 0b0010) == 2


def test_near_texts_are_near_and_others_far():
    chance = random.Random(1)
    text = chance.choices(WORDS, k=3000)
    near = [*text[:400], "changed", *text[401:]]
    assert hamming(simhash(" ".join(text)), simhash(" ".join(near))) <= NEAR
    others = [simhash(" ".join(chance.choices(WORDS, k=800))) for _ in range(50)]
    assert min(hamming(simhash(" ".join(text)), other) for other in others) > 10


@given(st.text())
def test_any_text_has_a_fingerprint_that_knows_no_case_and_signs_of_ascii(text: str):
    plain = "".join(c for c in text if c.isascii())
    assert 0 <= simhash(text) < 2**64
    assert simhash(f"  {plain.upper()} !") == simhash(plain)


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 63), max_size=NEAR))
def test_all_within_three_bits_are_found(bits: int, flipped: set[int]):
    known = Neighbours()
    known.add(bits, 5)
    assert known.find(bits ^ sum(1 << place for place in flipped)) == 5


def test_memory_is_bounded_and_the_latest_stay():
    known, chance = Neighbours(most=100), random.Random(2)
    fingerprints = [chance.getrandbits(64) for _ in range(1000)]
    for number, bits in enumerate(fingerprints):
        known.add(bits, number)
    assert len(known.fingerprints) <= 100
    assert known.find(fingerprints[-1]) == 999
    assert known.find(fingerprints[0]) is None


@pytest.mark.parametrize("text", ["", " ", "!?", "\n"])
def test_no_words_no_fingerprint(text: str):
    assert simhash(text) == 0
