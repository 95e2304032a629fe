from __future__ import annotations

import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.text import terms as module
from clew.text.stopwords import STOP_WORDS
from clew.text.terms import SAMPLE, Memo, language, read, stems, terms

SAMPLES = {
    "en": "The island lies in the Baltic Sea and is the largest of the country. Many visitors come here to sail.",
    "de": "Die Insel liegt in der Ostsee und ist die größte des Landes. Im Sommer kommen viele Gäste zum Segeln.",
    "fr": "L'île est située dans la mer Baltique et c'est la plus grande du pays. En été les visiteurs font la fête.",
    "nl": "Het eiland ligt in de Oostzee en is het grootste van het land. In de zomer komen er veel bezoekers.",
    "ru": "Остров расположен в Балтийском море и является крупнейшим в стране. Летом приезжает много гостей.",
}


def test_stop_words_go_and_stems_stay():
    assert stems("The sailors were sailing to the islands, and nobody else.") == ["sailor", "sail", "island"]


def test_german_umlauts_and_sharp_s():
    assert stems("Über die STRASSEN und Straßen der Häfen", "de") == ["strass", "strass", "haf"]
    assert stems("Köln kölner", "de") == ["koln", "koln"]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a b c", []),
        ("42 7 2024 3d", ["42", "2024", "3d"]),
        ("snake_case kebab-case dot.case", ["snake", "case", "kebab", "case", "dot", "case"]),
        ("wind\u2013waves\u2026\u201cgulls\u201d", ["wind", "wave", "gull"]),
        ("sail\u00adors", ["sailor"]),
        ("zero\u200bwidth", ["zero", "width"]),
        ("don't they've it’s", []),
        ("x" * 40 + " " + "y" * 41, ["x" * 40]),
        ("東京 は", ["東京"]),
        ("", []),
        (" \t\n", []),
        ("\ud800 lone \udfff", ["lone"]),
    ],
)
def test_what_a_token_is(raw: str, expected: list[str]):
    assert stems(raw) == expected


def test_composed_and_decomposed_letters_are_the_same():
    word = "Rügenbrücke"
    assert stems(unicodedata.normalize("NFD", word), "de") == stems(word, "de") == stems(word.upper(), "de")


def test_marks_of_indic_scripts_stay_in_their_word():
    assert len(stems("हिन्दी भाषा", "xx")) == 2


def test_other_languages():
    assert stems("les bateaux", "fr") == ["bateau"]
    assert stems("die båtar", "sv") == ["die", "båt"]
    assert stems("the sailing", "xx") == ["the", "sailing"]


def test_pairs_of_characters_where_there_are_no_spaces():
    assert stems("機械学習と、データ2024の本", "ja") == ["機械", "械学", "学習", "習と", "デー", "ータ", "2024", "の本"]
    assert stems("요트는 sailing boats", "ko") == ["요트", "트는", "sail", "boat"]
    assert terms("帆船和帆船", "zh") == {"帆船": 2, "船和": 1, "和帆": 1}
    assert stems("船", "ja") == []


def test_an_unknown_language_is_taken_for_english():
    assert stems("the sailing boats", "") == stems("the sailing boats", "en")


@given(st.text(), st.sampled_from(["en", "de", "fr", "", "xx"]))
def test_terms_count_the_stems(raw: str, name: str):
    assert terms(raw, name) == Counter(stems(raw, name))


@given(st.text(), st.text())
def test_texts_add_up(first: str, second: str):
    assert stems(f"{first} {second}") == stems(first) + stems(second)


def test_the_memo_is_bounded_and_changes_no_answer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MEMO", 10)
    memo = Memo("en")
    words = [f"sailing{i % 30}".encode() for i in range(100)]
    assert [memo[word] for word in words] == [Memo("en")[word] for word in words]
    assert len(memo) <= 10
    long = b"x" * 1000
    assert memo[long] is None
    assert long not in memo


@pytest.mark.parametrize("name", SAMPLES)
def test_language(name: str):
    assert language(SAMPLES[name]) == name


@pytest.mark.parametrize("raw", ["", "sailing", " " * 5000, "1 2 3 4 5 6 7 8 9 " * 100, "the boat"])
def test_no_language_can_be_told(raw: str):
    assert language(raw) in ("", "en")
    assert len(raw.split()) > 20 or language(raw) == ""


@given(st.text())
def test_language_never_raises(raw: str):
    assert len(language(raw)) in (0, 2)


def test_stop_lists_are_lower_case_and_whole_words():
    for words in STOP_WORDS.values():
        assert all(word == word.lower() and word.isalpha() for word in words)


@given(st.text(), st.sampled_from(sorted(SAMPLES)), st.integers(SAMPLE - 40, SAMPLE + 5), st.text())
def test_reading_is_telling_the_language_and_counting(start: str, name: str, size: int, end: str):
    whole = (start + SAMPLES[name] * 30)[:size] + end
    told = language(whole)
    assert read(whole) == (told, terms(whole, told))


def test_reading_a_text_of_no_language():
    assert read("Segeln", "de") == ("de", {"segel": 1})
    assert read("", "de") == ("de", {})


def test_an_empty_stem_counts_like_any_other():
    assert terms("εις κύμα εις", "el") == {"": 2, "κυμ": 1}
    assert stems("εις κύμα", "el") == ["", "κυμ"]
