"""Interests in other languages than English: the right page scores higher, and inflected forms match."""

from __future__ import annotations

import pytest

from clew.interests import build
from clew.text.terms import read
from clew.types import Doc

# For each language: keywords, a page about them in other forms of the words, and a page about something else.
PAGES = {
    "de": (
        "Segelboot OR Hafen",
        "Die Segelboote liegen in den Häfen der Insel. Wer ein Boot mieten will, fragt den Hafenmeister nach den "
        "Preisen. Am Abend kehren alle Segelboote zurück, und in den Häfen wird es still.",
        "Die Bäckerei verkauft jeden Morgen frisches Brot und süße Kuchen. Der Bäcker steht schon in der Nacht auf und "
        "heizt den Ofen. Am Nachmittag sind die Regale leer, und er geht schlafen.",
    ),
    "fr": (
        "voilier OR port",
        "Les voiliers attendent dans les ports de la côte. Le soir, les pêcheurs rentrent et les quais des ports se "
        "remplissent de monde. Un voilier ancien, construit en chêne, attire tous les regards.",
        "La boulangerie vend chaque matin du pain frais et des gâteaux. Le boulanger se lève la nuit pour chauffer le "
        "four. L'après-midi les étagères sont vides et il va dormir.",
    ),
    "es": (
        "velero OR puerto",
        "Los veleros esperan en los puertos de la costa. Por la tarde vuelven los pescadores y los muelles se llenan "
        "de gente. Un velero antiguo, construido de roble, llama la atención de todos.",
        "La panadería vende cada mañana pan fresco y pasteles. El panadero se levanta por la noche para calentar el "
        "horno. Por la tarde los estantes están vacíos y se va a dormir.",
    ),
    "ru": (
        "парусник OR гавань",
        "Парусники стоят в гавани у берега. Вечером рыбаки возвращаются домой, и на причалах становится шумно. Старый "
        "дубовый парусник привлекает внимание всех гостей, а о паруснике рассказывают легенды.",
        "Пекарня продаёт каждое утро свежий хлеб и пироги. Пекарь встаёт ночью, чтобы затопить печь. Днём полки "
        "пустеют, и он идёт спать до самого вечера.",
    ),
    "zh": (
        "帆船 OR 港口",
        "清晨的海面上停着许多帆船。渔民们从港口出发，傍晚才回来。一艘用橡木造的老帆船吸引了所有游客的目光，孩子们在港口边画它的样子。",
        "面包店每天早上卖新鲜的面包和蛋糕。面包师半夜起床生火。到了下午，货架上已经空了，他就回家睡觉。",
    ),
    "ja": (
        "帆船 OR 機械学習",
        "港には古い帆船が泊まっています。夕方になると漁師たちが帰ってきて、桟橋はにぎやかになります。この帆船の航路は機械学習で予測されています。",
        "パン屋は毎朝焼きたてのパンとケーキを売ります。職人は夜中に起きて窯に火を入れます。午後には棚が空になり、彼は眠ります。",
    ),
}  # fmt: skip


def doc(text: str, title: str = "") -> Doc:
    language, terms = read(f"{title}\n{text}")
    return Doc("http://a.test/", title=title, text=text, terms=terms, language=language)


@pytest.mark.parametrize("language", PAGES)
def test_the_right_page_scores_higher(language):
    formula, right, wrong = PAGES[language]
    assert doc(right).language == doc(wrong).language == language
    interest = build(formula)
    assert interest.judge(doc(right)).relevance > 0.7
    assert interest.judge(doc(wrong)).relevance == 0.0


@pytest.mark.parametrize(
    ("language", "keyword", "anchor"),
    [
        ("de", "Segelboot", "Die Segelboote der Insel"),
        ("fr", "voilier", "Nos voiliers"),
        ("es", "velero", "Alquiler de veleros"),
        ("ru", "парусник", "О парусниках"),
        ("zh", "帆船", "古代帆船的历史"),
        ("ja", "帆船", "帆船の歴史"),
    ],
)
def test_anchors_are_read_in_the_language_of_the_crawl(language, keyword, anchor):
    interest = build(keyword).in_language(language)
    assert interest.rate(anchor) > 0.7
    assert interest.guide().at(0.3).rate(anchor) == interest.rate(anchor)


def test_the_language_of_examples_comes_first():
    known = build("voilier").in_language("fr")
    assert known.in_language("en").language == "fr"
    assert build("voilier").in_language("").language == ""


def test_a_keyword_without_spaces_must_stand_together():
    learning = build("機械学習")
    assert learning.judge(doc("この本は機械学習について書かれています。", "本")).relevance > 0.5
    assert learning.judge(doc("古い機械を修理する人が、学習塾の隣に住んでいます。", "町")).relevance == 0.0
    assert build("帆船").judge(doc("白い帆を上げて、船は港を出ていきました。", "海")).relevance == 0.0


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("帆船", "古い帆船の話", 1.0),
        ("船", "古い帆船の話", 1.0),
        ("парусный спорт", "Парусный  спорт в городе", 1.0),
        ("спорт", "спортивный клуб", 0.0),
        ("voile", "les voiles", 0.0),
        ("C++", "Ein Kurs in C++ für alle", 1.0),
    ],
)
def test_phrases(phrase, text, found):
    assert build(f'phrase("{phrase}")').judge(doc(text)).relevance == found


def test_a_single_character_is_no_keyword_but_a_phrase():
    with pytest.raises(Exception, match="no searchable word"):
        build("船")


def test_the_words_are_named_as_they_are_written():
    [learning] = build("機械学習").topic_words(doc("機械学習の本。機械学習とデータ。", "機械学習"))
    assert (learning.words, learning.in_title) == ({"機械学習": 2}, ("機械学習",))
    [boats] = build("парусник").topic_words(doc(PAGES["ru"][1]))
    assert boats.words == {"парусники": 1, "парусник": 1, "паруснике": 1}
