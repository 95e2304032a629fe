"""Labels of several users, their profiles across crawls, and what follows from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.base import codec
from clew.core.users import learn_ratings, recommend, recommend_from_crawls, similar_users
from clew.errors import ConfigError, StrategyError
from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.process import Serving
from clew.store import Records, SqliteStore, write_labels
from clew.store.profiles import NIGHT_SECONDS, RatedPage, UserProfile, read_profile, write_profile

LABYRINTH = Labyrinth(pages=400, seed=1)
SEEDS = LABYRINTH.seeds("sailing", 3)


@pytest.fixture(scope="module")
def web() -> Iterator[Serving]:
    with serving(LABYRINTH) as served:
        yield served


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "clew" / "profiles"


def crawl(web: Serving, folder: Path, interest: str = "sailing", **settings: Any) -> clew.Result:
    lab: dict[str, Any] = {"allow_private": True, "resolve": (web.resolve,), "delay": 0.0, "folder": str(folder)}
    return clew.crawl(interest, SEEDS, **{"pages": 30, "judge": "plain", **lab, **settings})


def fetched(folder: Path, topic: str) -> list[str]:
    members = {LABYRINTH.url(number) for number in LABYRINTH.pages_on(topic)}
    with Records(folder) as records:
        return [record.url for record in records.pages() if record.state == "fetched" and record.url in members]


def early_finds(folder: Path, pages: int = 20) -> int:
    """The relevant pages among the first ones of a crawl."""
    with Records(folder) as records:
        visited = [record for record in records.pages() if record.state == "fetched"]
    return sum(record.relevant for record in visited[:pages])


def page(url: str, relevant: bool = True, at: float = 0.0, **terms: int) -> RatedPage:
    return RatedPage(f"http://{url}.example/", relevant, at, terms)


def test_a_profile_is_what_a_user_rated_and_it_fades() -> None:
    """3 * .1 for a page of one term; after ten nights .97 ** 10 of it is left."""
    profile = UserProfile("anna").with_pages([page("a", boat=2)])
    assert profile.vector() == pytest.approx({"boat": 0.3})
    later = profile.with_pages([page("b", relevant=False, at=10 * NIGHT_SECONDS, car=1)])
    assert later.vector() == pytest.approx({"boat": 0.3 * 0.97**10, "car": -0.3})
    changed = later.with_pages([page("a", relevant=False, at=11 * NIGHT_SECONDS, boat=2)])
    assert [each.relevant for each in changed.pages] == [False, False]


def test_users_of_like_taste_recommend_pages_to_each_other() -> None:
    anna = UserProfile("anna").with_pages([page("a", boat=1), page("known", boat=1)])
    bob = UserProfile("bob").with_pages([page("b", boat=1), page("known", boat=1), page("bad", car=1)])
    carl = UserProfile("carl").with_pages([page("c", car=1)])
    liked = [page("d", boat=1), page("e", boat=1), page("known", boat=1)]
    dora = UserProfile("dora").with_pages([*liked, page("bad", relevant=False, car=1)])
    [(first, likeness), *_] = similar_users(anna, [carl, bob])
    assert first is bob
    assert likeness > 0.5
    found = recommend(anna, [anna, bob, carl])
    assert [(each.url, each.by) for each in found] == [
        ("http://b.example/", ("bob",)),
        ("http://bad.example/", ("bob",)),
    ]
    assert found[0].score == pytest.approx(3 * likeness)
    # Dora's "no" is weightier than bob's "yes", because her taste is nearer to anna's.
    assert {each.url for each in recommend(anna, [bob, carl, dora])} == {f"http://{name}.example/" for name in "bde"}
    assert recommend(carl, [anna, bob]) == []


def test_labels_of_a_user_go_into_the_profile_and_the_crawl(web: Serving, tmp_path: Path, data: Path) -> None:
    crawl(web, tmp_path / "one")
    [first, second, *_] = fetched(tmp_path / "one", "sailing")
    [label] = clew.label(tmp_path / "one", first, user="anna")
    assert (label.user, label.words) == ("anna", "labelled relevant by anna")
    clew.label(tmp_path / "one", second, relevant=False, user="bob")
    clew.label(tmp_path / "one", second)
    with Records(tmp_path / "one") as records:
        assert [each.user for each in records.labels()] == ["anna", "bob", ""]
        assert ("label", f"yes by anna: {first}") in [(event, detail) for _, event, detail in records.journal()]
    assert [each.url for each in read_profile("anna").pages] == [first]
    assert [each.url for each in read_profile("bob").rated(relevant=False)] == [second]
    assert sorted(path.name for path in data.iterdir()) == ["anna.json", "bob.json"]
    crawl(web, tmp_path / "two")
    [other] = [url for url in fetched(tmp_path / "two", "sailing") if url not in (first, second)][:1]
    clew.label(tmp_path / "two", other, user="anna")
    assert {each.url for each in read_profile("anna").pages} == {first, other}
    found = recommend_from_crawls(read_profile("anna"), [tmp_path / "two"], most=5)
    assert len(found) == 5
    assert found[0].score == max(each.score for each in found) > 0.2
    assert not {first, other} & {each.url for each in found}
    assert set(fetched(tmp_path / "two", "sailing")) & {each.url for each in found}


def test_a_profile_in_a_file_belongs_to_one_user(web: Serving, tmp_path: Path, data: Path) -> None:
    crawl(web, tmp_path / "c")
    [first, *_] = fetched(tmp_path / "c", "sailing")
    file = tmp_path / "shared.json"
    clew.label(tmp_path / "c", first, user="anna", profile=str(file))
    assert read_profile(str(file)).user == "anna"
    assert not data.exists()
    with pytest.raises(ConfigError, match="is the profile of anna, not of bob"):
        learn_ratings(tmp_path / "c", "bob", str(file))
    with pytest.raises(ConfigError, match="belongs to a user"):
        clew.label(tmp_path / "c", first, profile=str(file))
    for name in ("../anna", "", "a b"):
        with pytest.raises(ConfigError):
            learn_ratings(tmp_path / "c", name)


def test_a_label_of_a_page_that_waits_reaches_the_profile_after_its_visit(web: Serving, tmp_path: Path) -> None:
    crawl(web, tmp_path / "c", pages=10)
    with Records(tmp_path / "c") as records, closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db:
        query = "SELECT url FROM candidates WHERE reason = '' AND url NOT IN (SELECT url FROM pages) ORDER BY slot"
        waiting = next(url for (url,) in db.execute(query) if url in {LABYRINTH.url(n) for n in range(400)})
        assert records.find(waiting)
    clew.label(tmp_path / "c", waiting, user="anna")
    assert read_profile("anna").pages == ()
    clew.resume(tmp_path / "c", pages=20)
    assert [each.url for each in learn_ratings(tmp_path / "c", "anna").pages] == [waiting]


def test_a_folder_of_before_there_were_users_opens_and_takes_labels(web: Serving, tmp_path: Path) -> None:
    crawl(web, tmp_path / "c", pages=10)
    [first, second, *_] = fetched(tmp_path / "c", "sailing")
    write_labels(tmp_path / "c", {first: True})
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
        db.execute("ALTER TABLE labels DROP COLUMN user")
    with Records(tmp_path / "c") as records:
        assert [(label.url, label.user) for label in records.labels()] == [(first, "")]
    clew.label(tmp_path / "c", second, user="anna")
    with Records(tmp_path / "c") as records:
        assert [(label.url, label.user) for label in records.labels()] == [(first, ""), (second, "anna")]


def test_a_profile_is_an_interest(web: Serving, tmp_path: Path) -> None:
    """Pages that anna wants are examples; a crawl for her profile finds pages on the same topic."""
    crawl(web, tmp_path / "one", pages=60)
    wanted = fetched(tmp_path / "one", "sailing")[:8]
    with Records(tmp_path / "one") as records:
        visited = [record.url for record in records.pages() if record.state == "fetched"]
    others = [url for url in visited if url not in fetched(tmp_path / "one", "sailing")][:8]
    clew.label(tmp_path / "one", dict.fromkeys(wanted, True) | dict.fromkeys(others, False), user="anna")
    crawl(web, tmp_path / "two", "profile:anna", pages=60, judge="learning")
    with Records(tmp_path / "two") as records:
        relevant = {record.url for record in records.pages(relevant=True)} - set(wanted)
        assert records.config.topics["profile:anna"].examples == ("profile://anna",)
    on_topic = set(fetched(tmp_path / "two", "sailing"))
    assert len(relevant & on_topic) > 0.7 * len(relevant) > 1
    # The folder keeps the examples: the crawl goes on without the profile.
    write_profile(UserProfile("anna"), tmp_path / "data" / "clew" / "profiles" / "anna.json")
    assert clew.resume(tmp_path / "two", pages=70).stats.pages >= 70


def test_a_profile_that_is_not_there_is_named(web: Serving, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no profile 'nobody'.*--user nobody"):
        crawl(web, tmp_path / "c", "profile:nobody")
    with pytest.raises(ConfigError, match="there is no profile 'nobody'"):
        crawl(web, tmp_path / "c", strategy="fab", users=("nobody",))


def test_fab_starts_with_profiles_and_learns_from_users(web: Serving, tmp_path: Path) -> None:
    crawl(web, tmp_path / "one")
    [first, *_] = fetched(tmp_path / "one", "sailing")
    clew.label(tmp_path / "one", first, user="anna")
    crawl(web, tmp_path / "two", strategy="fab", users=("anna",))
    [second, *_] = [url for url in fetched(tmp_path / "two", "sailing") if url != first]
    clew.label(tmp_path / "two", second, user="bob")
    with SqliteStore(tmp_path / "two", reading=True) as store:
        saved = codec.loads(store.checkpoint()["strategy"])
    assert saved["names"] == ["anna", "bob"]
    assert saved["given"] == {"anna": pytest.approx(read_profile("anna").vector())}
    assert saved["profiles"][1]
    assert clew.resume(tmp_path / "two", pages=40).stats.pages >= 40
    with pytest.raises(StrategyError, match="best_first knows no users"):
        crawl(web, tmp_path / "three", strategy="best_first", users=("anna",))


def test_an_earlier_crawl_gives_start_pages_keywords_and_predictions(web: Serving, tmp_path: Path) -> None:
    """The learnable crawler, from a crawl of another strategy: no start page is named, and it is faster than before."""
    crawl(web, tmp_path / "one", strategy="breadth_first", pages=150)
    lab: dict[str, Any] = {
        "allow_private": True,
        "resolve": (web.resolve,),
        "delay": 0.0,
        "judge": "plain",
        "pages": 40,
    }
    earlier = str(tmp_path / "one")
    clew.crawl("sailing", strategy="learnable", learned_from=earlier, folder=str(tmp_path / "two"), **lab)
    with Records(tmp_path / "two") as records:
        assert len(records.config.what.seeds) == 10
    crawl(web, tmp_path / "fresh", strategy="learnable", pages=40)
    assert early_finds(tmp_path / "two") > early_finds(tmp_path / "fresh")
    third = {**lab, "pages": 10, "folder": str(tmp_path / "three")}
    assert clew.crawl("sailing", strategy="learnable", learned_from=str(tmp_path / "two"), **third).stats.pages == 10
    with pytest.raises(ConfigError, match="--learned-from"):
        clew.crawl("sailing", **lab)
