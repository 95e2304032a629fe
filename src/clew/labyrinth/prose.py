"""Pseudo-sentences, titles and slugs in English or German, made once for each topic and reused by its pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import Final

from clew.labyrinth.wordlists import ADS, GENERAL, LEAVES, NOISE, WORDS, siblings

SENTENCES: Final = 320  # of a topic
TITLES: Final = 256  # of a topic
DIALECTS: Final = 8  # hosts differ in the words that they prefer
WORD_SKEW: Final = 1.7  # a few words are used most, as in any text

# Slots: n noun, a adjective, v verb, r adverb, p preposition, t word of the topic, g word of a related topic.
ENGLISH: Final = {
    "n": """answer morning question letter road window story reason village number person evening corner
    picture house friend moment journey paper visitor notice report member meeting plan problem idea
    neighbour result list page year week chapter example hand afternoon crowd door bench
    postcard conversation memory custom lesson detail colour sound sketch visit sentence council archive
    name hour reader town street minute budget decision office guest writer statement volunteer
    advice agreement apology argument arrival autumn balance ballot border breakfast brother building calendar
    campaign candle ceiling century ceremony chair charity childhood choice church circumstance citizen clerk
    clock coat college comment committee compromise concern cousin curtain custody daughter debate degree
    delay desk dictionary difference dinner disagreement discovery district doctor document doubt driveway
    election emotion employer envelope errand essay event exception excuse expense explanation failure favour
    fence figure fortune government grandmother greeting handshake headline hesitation holiday hospital
    husband illness impression income incident intention interview invitation joke judge kindness landlord
    language lawyer lecture library license luck mayor message method mistake mood museum mystery nephew
    novel obligation occasion opinion opportunity orphan parcel parliament patience
    payment pension permission photograph poem policy portrait possibility postman priest principle prison
    promise proposal proverb puzzle quarrel receipt reply request responsibility rumour salary scandal
    schedule scholar school secretary servant shadow silence sister society staircase stranger strategy student
    suggestion summary suspicion teacher telegram tenant textbook theme tower translation treaty trouble
    umbrella uncle university vacancy verdict vocabulary wallet wedding widow wisdom witness worry""",
    "a": """small early quiet large common rare old young simple careful bright late useful local strange familiar
    short long narrow friendly serious modest recent annual public private usual honest patient
    remarkable ordinary distant popular second former curious plain warm cold slow quick absent
    ancient anxious awkward brave brief calm cheerful clever clumsy complete confident crowded dangerous decent
    delicate dull eager empty enormous equal expensive faithful famous foreign formal fragile generous gentle
    grateful hidden hollow humble ignorant impatient lonely loud loyal mild moral nervous neutral obvious
    peculiar pleasant polite proud rapid sacred sensible severe silent sincere sober solemn sudden
    temporary tiny tired tragic urgent vague vivid weary""",
    "v": """found left changed described followed reached kept noticed remembered brought explained mentioned
    needed opened passed placed praised preferred questioned received repeated replaced showed
    started stopped studied supported surprised taught thanked touched used visited watched welcomed wrote
    accepted admired admitted advised allowed announced approved avoided believed borrowed carried
    collected compared confirmed considered copied counted criticised defended delayed denied discussed
    doubted encouraged enjoyed entered examined expected feared forgot forgave gathered guessed hated helped
    ignored imagined improved interrupted introduced invited kissed liked married met missed moved owned paid
    persuaded prepared prevented protected published recommended refused regretted rejected reminded removed
    rented respected saved searched shared signed solved suspected trusted understood wanted warned""",
    "r": """often rarely slowly always never quietly almost usually sometimes perhaps certainly gladly soon
    again later together promptly nearly clearly mostly""",
    "p": "near behind beside under above before after without during beyond against inside around across",
}
GERMAN: Final = {
    "n": """Straße Frage Antwort Geschichte Zeitung Woche Tür Brücke Stimme Übung Gemeinde Reise Größe Farbe
    Sitzung Meinung Lösung Erzählung Nachricht Stunde Küche Stadt Wohnung Familie Schülerin Änderung Nähe
    Möglichkeit Regel Aufgabe Karte Seite Liste Gruppe Idee Tagung Mühe Rückkehr""",
    "a": """kleine alte schöne frühe späte große ruhige neue gewöhnliche örtliche fröhliche seltene kurze
    lange öffentliche einfache nützliche müde ehrliche übliche weiße grüne""",
    "v": """findet zeigt verändert erklärt beschreibt öffnet erzählt besucht fördert überrascht braucht prüft
    erwähnt behält hört führt begrüßt wählt schließt""",
    "r": "oft selten häufig früher später natürlich vielleicht endlich überall immer gern jährlich",
    "p": "für ohne gegen durch über um",
}
TALK: Final = (
    "The {a} {n} {v} the {n} {p} the {a} {n}, and the {n} {r} {v} it.",
    "A {n} {p} the {n} {r} {v} what every {n} of the {n} {v}.",
    "When the {n} {v} the {a} {n}, nobody {v} the {n}.",
    "It is {r} said that the {n} “{v}” the {n} {p} a {a} {n}.",
    "In this {n} you will {r} see a {a} {n} and a {n} – {p} the {n} too.",
    "Our {n} {v} the {n}; the {n} {r} {v} another {a} {n} {p} the {n}.",
    "Every {n} has its {n}, yet the {a} {n} {v} more than the {n}.",
    "After a {a} {n} the {n} was {r} {p} the {n} of the {n}.",
)
TOPICAL: Final = (
    "The {a} {t} {v} the {n} {p} the {t}, and the {n} {r} {v} it.",
    "For {t} the {n} is {r} {a}, but a {t} {p} the {n} {v} the {g}.",
    "A {n} about {t} and {t} {r} {v} the {a} {n}.",
    "Whoever {v} the {t} {r} knows the {g} {p} the {n}.",
    "In this {n} we {v} {t}, {t} and the {a} {n}.",
    "The {t} was {a}; the {n} {p} the {t} {r} {v} the {n}.",
    "Our {n} on {t} {v} the {g} and the {a} {t} {p} the {n}.",
)
REDE: Final = (
    "Die {a} {n} {v} die {n} {p} die {a} {n}, und die {n} {v} sie {r}.",
    "Wenn die {n} die {a} {n} {v}, fehlt {r} die {n}.",
    "Es heißt {r}, dass die {n} {p} die {n} „{v}“ – auch die {a} {n}.",
    "Eine {n} {v} {r}, was jede {n} {p} die {n} {v}.",
)
FACHREDE: Final = (
    "Die {a} {n} {v} {t} und {t}, aber die {n} {v} {r} {g}.",
    "Für {t} ist die {n} {r} nicht die {a} {n} {p} {t}.",
    "Über {t} {v} die {n} {r} mehr als die {a} {n}.",
    "Wer {t} kennt, {v} {r} auch {t} {p} die {n} und {g}.",
)
HEADLINES: Final = ("{t} and {t}", "The {a} {t}", "{t} {p} the {n}", "{t}: {n} and {n}", "A {n} of {t}")
SCHLAGZEILEN: Final = ("{t} und {t}", "{t} {p} die {n}", "{t}: {n} und {n}", "Die {a} {n}: {t}")
NEUTRAL: Final = ("{n} and {n}", "The {a} {n}", "{n} {p} the {n}", "A {a} {n}", "The {n} of the {n}")
SACHLICH: Final = ("{n} und {n}", "Die {a} {n}", "{n} {p} die {n}", "Eine {a} {n}")
# Invented people, so that no two pages share all their words.
NAME_STARTS: Final = "Bar Cor Dal El Fen Har Jor Kel Lin Mor Per Ros Sel Wil"
NAME_MIDDLES: Final = "a ba de do ga ke la mi no ra ri so ta ve wo zu"
NAME_ENDS: Final = "berg born ders dine ford ham ker lund man mer ner ric ster ton"
PEOPLE: Final = tuple(map("".join, product(NAME_STARTS.split(), NAME_MIDDLES.split(), NAME_ENDS.split())))
TO_ASCII: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


@dataclass(frozen=True, slots=True)
class Speech:
    """The texts of pages on one topic in one language."""

    leads: list[str]  # sentences that name the topic itself
    sentences: list[str]
    titles: list[str]
    slugs: list[str]
    folder: str


@lru_cache(maxsize=256)
def speech(topic: int, german: bool, seed: int, dialect: int = 0) -> Speech:
    """The speech of a leaf topic, of GENERAL or of ADS.

    >>> "sail" in " ".join(speech(0, False, 1).titles).lower()
    True
    """
    chance = Random(f"{seed} {topic} {german} {dialect}")
    words = GERMAN if german else ENGLISH
    # The order decides which words are frequent: each dialect has its own.
    slots = {slot: sorted(words[slot].split(), key=lambda _: chance.random()) for slot in words}
    slots["t"], slots["g"] = _vocabulary(topic)
    templates, headlines = _templates(topic, german)
    name = slots["t"][0] if slots["t"] else "archive"
    leads = [fill(templates, slots, chance, name) for _ in range(SENTENCES // 8)]
    sentences = [fill(templates, slots, chance) for _ in range(SENTENCES)]
    titles = [fill(headlines, slots, chance) for _ in range(TITLES)]
    return Speech(leads, sentences, titles, [_slug(title) for title in titles], name)


def _vocabulary(topic: int) -> tuple[list[str], list[str]]:
    """The words of a topic, and those of its relatives."""
    if topic == ADS:
        return list(NOISE), list(NOISE)
    if topic == GENERAL:
        return [], []
    parent = LEAVES[topic].rpartition("/")[0]
    area = parent.partition("/")[0]
    related = [*WORDS[parent], *WORDS[area]]
    for sibling in siblings(topic):
        related += WORDS[LEAVES[sibling]][:3]
    return list(WORDS[LEAVES[topic]]), related


def _templates(topic: int, german: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Templates of sentences and of titles."""
    if topic == GENERAL:
        return (REDE, SACHLICH) if german else (TALK, NEUTRAL)
    return (FACHREDE, SCHLAGZEILEN) if german else (TOPICAL, HEADLINES)


def fill(templates: tuple[str, ...], slots: dict[str, list[str]], chance: Random, first: str = "{t}") -> str:
    """A random template with random words; `first` takes the first place for a word of the topic."""
    template = templates[int(len(templates) * chance.random())].replace("{t}", first, 1)

    def pick_word(slot: re.Match[str]) -> str:
        words = slots[slot[1]]
        return words[int(len(words) * chance.random() ** WORD_SKEW)]

    text = re.sub(r"\{(\w)\}", pick_word, template)
    # "a" before a vowel, or before "honest" and "hour", becomes "an".
    text = re.sub(r"\b([Aa]) (?=[aeio]|ho[nu])", r"\1n ", text)
    return text[0].upper() + text[1:]


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.translate(TO_ASCII).lower()).strip("-")
