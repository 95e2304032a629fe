from __future__ import annotations

from typing import Any

import pytest

from clew.errors import StrategyError
from clew.strategies._shared.returns import bins, returns
from clew.strategies.reinforcement import Reinforcement
from clew.testing.tiny_web import explore, order
from clew.types import Candidate, Link

CHAIN = [-1, 0, 1]


def candidate(*links: Link) -> Candidate:
    return Candidate("c", links=links, n_links=len(links))


def test_t20_rewards_on_the_way() -> None:
    assert returns(CHAIN, [0, 1, 1], 0.5)[0] == 0.75
    assert returns(CHAIN, [1, 1, 1], 0.5)[0] == 1.75
    assert returns([-1, 0], [0, 1], 0.5, "max")[0] == 0.5


def test_t20_expected_reward(desk: Any) -> None:
    strategy = Reinforcement()
    strategy.start(desk)
    strategy.means = [0.02, 0.4, 1.4]
    assert strategy._expected([0.7, 0.2, 0.1]) == pytest.approx(0.234)


def test_the_spider_may_return_to_other_branches() -> None:
    """Two relevant pages in two branches: a single way has one of them, a greedy visit both."""
    parents, rewards = [-1, 0, 0], [0, 1, 1]
    assert returns(parents, rewards, 0.5)[0] == 0.75
    assert returns(parents, rewards, 0.5, "max")[0] == 0.5


def test_the_nearest_relevant_page_comes_first_and_ways_are_shared() -> None:
    #        0 - 1 - 2 - 3*
    #              \ 4*
    parents, rewards = [-1, 0, 1, 2, 1], [0, 0, 0, 1, 1]
    assert returns(parents, rewards, 0.5)[0] == 0.5**2 + 0.5**4


def test_rewards_far_away_are_cut() -> None:
    parents, rewards = [at - 1 for at in range(14)], [0] * 13 + [1]
    assert returns(parents, rewards, 0.5)[0] == 0.0
    assert returns(parents, rewards, 0.5)[4] == 0.5**9


def test_without_a_future_only_the_next_page_counts() -> None:
    assert returns(CHAIN, [0, 1, 1], 0.0) == [0, 1, 1]


@pytest.mark.parametrize("values", [[0.0, 0.0], [0.5], [0.0, 0.5, 0.5]])
def test_bins_may_be_empty(values: list[float]) -> None:
    places, means = bins(values)
    assert all(means[place] == value for place, value in zip(places, values, strict=True))
    assert max(places) < 2


def test_the_words_of_a_link_that_led_on_are_worth_more() -> None:
    web = "s .4 -> a [staff] b [news] c [news] d [staff]; a .45 -> e; e 1; d .45 -> f; f 1"
    assert order(Reinforcement(every=4), web) == ["s", "a", "e", "b", "d", "f", "c"]
    assert order(Reinforcement(every=4, gamma=0.0), web) == ["s", "a", "e", "b", "c", "d", "f"]


def test_learning_off_line_from_the_record_of_a_crawl(desk: Any) -> None:
    web = "s .4 -> a [staff] b [news] c [news] d [staff]; a .45 -> e; e 1; d .45 -> f; f 1"
    recorded = Reinforcement()
    explore(recorded, web)
    assert recorded.means == []
    heir = Reinforcement(online=False)
    assert heir.missing_input.startswith("an earlier crawl to learn from")
    heir.inherit({name: getattr(recorded, name) for name in recorded._saved()})
    assert heir.missing_input == ""
    assert heir.parents == []
    assert order(heir, "s .4 -> b [news] c [news] d [staff]; d -> f; f 1")[:2] == ["s", "d"]


def test_explain_names_bins_and_their_rewards(desk: Any) -> None:
    strategy = Reinforcement(every=4)
    explore(strategy, "s .4 -> a [staff] b [news] c [news]; a .45 -> e; e 1")
    parts = strategy.explain(candidate(Link("q", "c", "staff")))
    chances = [value for name, value in parts.items() if name.startswith("Pr")]
    means = [value for name, value in parts.items() if name.startswith("mean")]
    assert sum(chances) == pytest.approx(1.0)
    assert parts["Q"] == pytest.approx(sum(one * mean for one, mean in zip(chances, means, strict=True)))
    assert parts["Pr(some reward)"] > strategy.explain(candidate(Link("q", "c", "news")))["Pr(some reward)"]


def test_posteriors_are_tempered(desk: Any) -> None:
    """Most links lead to nothing; flattened, what does not fit that still shows."""
    flat, sharp = Reinforcement(temper=0.1), Reinforcement(temper=1.0)
    for strategy in (flat, sharp):
        strategy.start(desk)
        texts = ["news"] * 50 + ["staff"]
        strategy._train([-1] * 51, texts, [0.0] * 50 + [1.0])
    news = candidate(Link("p", "c", "news"))
    assert flat.score([news])[0] > sharp.score([news])[0]


def test_titles_of_sources_count(desk: Any) -> None:
    strategy = Reinforcement()
    explore(strategy, "staff .4 -> a [x]; a 1")
    assert "title:staff" in strategy.texts[1].split()


def test_the_user_gives_the_reward(desk: Any) -> None:
    strategy = Reinforcement()
    strategy.start(desk)
    page = desk.lay("a", 0.0)
    strategy.learn(page)
    strategy.learn_label(page, True)
    assert strategy.rewards == [1.0]


def test_best_first_before_anything_is_learnt() -> None:
    web = "s .6 -> a b; a .9 -> c; b .7 -> d; c .8 -> e"
    assert order("reinforcement", web) == order("best_first", web)
    assert Reinforcement().explain(Candidate("s")) == {"Q": 2.0}


def test_gamma_must_discount() -> None:
    with pytest.raises(StrategyError, match="gamma"):
        Reinforcement(gamma=1.0)
