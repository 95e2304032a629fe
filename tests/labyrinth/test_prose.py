from __future__ import annotations

import re

from clew.labyrinth.prose import speech
from clew.labyrinth.wordlists import ADS, GENERAL, LEAVES, WORDS


def test_leads_name_the_topic():
    assert all(re.search(r"\bsailing\b", lead.lower()) for lead in speech(0, False, 1).leads)


def test_every_title_has_a_word_of_the_topic_and_a_plain_slug():
    for topic, leaf in enumerate(LEAVES):
        texts = speech(topic, False, 1)
        for title, slug in zip(texts.titles, texts.slugs, strict=True):
            assert set(re.findall(r"\w+", title.lower())) & set(WORDS[leaf])
            assert re.fullmatch(r"[a-z0-9-]+", slug)


def test_general_speech_has_no_word_of_a_topic():
    words = {word for sentence in speech(GENERAL, False, 1).sentences for word in sentence.lower().split()}
    assert not words & {word for leaf in WORDS.values() for word in leaf}


def test_german_has_umlauts_and_plain_slugs():
    german = speech(GENERAL, True, 1)
    assert "ü" in "".join(german.sentences)
    assert all(slug.isascii() for slug in german.slugs)


def test_other_seeds_and_dialects_say_other_things():
    assert speech(0, False, 1) == speech(0, False, 1)
    assert speech(0, False, 1).sentences != speech(0, False, 2).sentences
    assert speech(GENERAL, False, 1, 0).sentences != speech(GENERAL, False, 1, 1).sentences
    assert "offer" in " ".join(speech(ADS, False, 1).sentences)
