from __future__ import annotations

from clew.config import Topic
from clew.interests import Formula, LearningInterest, build
from clew.strategies._shared.focus_path import NARROW, WIDEN, FocusPath

TAXONOMY = {
    "tourism": Topic(),
    "sports": Topic(parent="tourism"),
    "sailing": Topic(parent="sports"),
    "baltic": Topic(),
    "ruegen": Topic(parent="baltic"),
}
RARE_ACTIVITY = {"tourism": 1.0, "sports": 1.0, "sailing": 1.0, "baltic": 9.0, "ruegen": 9.0}
RARE_REGION = {"tourism": 9.0, "sports": 9.0, "sailing": 9.0, "baltic": 1.0, "ruegen": 1.0}


def interest() -> Formula:
    return build("sailing AND ruegen", TAXONOMY)


def names(path: FocusPath) -> list[str]:
    return list(map(str, path.foci))


def test_the_most_frequent_topic_becomes_more_special_and_the_path_shorter() -> None:
    path = FocusPath("taxonomy")
    path.follow(interest(), [(WIDEN, RARE_ACTIVITY), (WIDEN, RARE_REGION)])
    assert names(path) == ["sailing AND ruegen", "sports AND ruegen", "sports AND baltic"]
    path.move(NARROW, RARE_REGION)
    # To undo the last step would have given "sports AND ruegen".
    assert names(path) == ["sailing AND ruegen", "sailing AND baltic"]
    path.move(NARROW, RARE_REGION)
    assert names(path) == ["sailing AND ruegen"]
    path.move(NARROW, RARE_REGION)
    assert names(path) == ["sailing AND ruegen"]


def test_without_a_more_special_topic_the_last_step_is_undone() -> None:
    path = FocusPath("drop")
    path.follow(build("golf AND sailing AND ruegen", TAXONOMY), [(WIDEN, {"golf": 9.0}), (WIDEN, {"sailing": 9.0})])
    assert names(path) == ["golf AND sailing AND ruegen", "sailing AND ruegen", "ruegen"]
    path.move(NARROW, {})
    assert names(path) == ["golf AND sailing AND ruegen", "sailing AND ruegen"]


def test_an_interest_that_learns_has_its_formula_as_the_goal() -> None:
    path = FocusPath("taxonomy")
    path.follow(LearningInterest(interest()), [(WIDEN, RARE_ACTIVITY), (WIDEN, RARE_REGION), (NARROW, RARE_REGION)])
    assert names(path)[1:] == ["sailing AND baltic"]


def test_steps_beyond_the_most_general_form_change_nothing() -> None:
    path = FocusPath("taxonomy")
    assert names(path) == []
    path.follow(build("baltic", TAXONOMY), [(WIDEN, {})])
    assert names(path) == ["baltic", "baltic"]
