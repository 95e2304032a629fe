"""The public API is what public_api.txt lists: a change to it must be a change to that file, too.

To write the file anew after an intended change: python tests/test_public_api.py
"""

from __future__ import annotations

import inspect
import typing
from pathlib import Path

import clew

LISTED = Path(__file__).with_name("public_api.txt")


def described(name: str) -> str:
    """One line for a public name: its kind, and how it is called."""
    value = getattr(clew, name)
    if inspect.isclass(value):
        # Fields without a default are in no other list, and those of a TypedDict only in its annotations.
        fields = getattr(value, "__dataclass_fields__", {})
        keys = value.__annotations__ if typing.is_typeddict(value) else {}
        members = sorted(each for each in {*vars(value), *fields, *keys} if not each.startswith("_"))
        return f"{name}: class, {', '.join(members)}" if members else f"{name}: class"
    if inspect.isroutine(value):
        kind = "function"
        if inspect.iscoroutinefunction(value):
            kind = "async function"
        elif inspect.isasyncgenfunction(value):
            kind = "async generator"
        parameters = inspect.signature(value).parameters.values()
        return f"{name}: {kind}, {', '.join(_parameter(each) for each in parameters)}"
    return f"{name}: value, {type(value).__name__}"


def _parameter(parameter: inspect.Parameter) -> str:
    """The name, marked as in a signature: `*name` is keyword only, `name=` has a default."""
    stars = {parameter.KEYWORD_ONLY: "*", parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    mark = "=" if parameter.default is not parameter.empty else ""
    return f"{stars.get(parameter.kind, '')}{parameter.name}{mark}"


def test_the_public_api_is_the_listed_one() -> None:
    listed = LISTED.read_text(encoding="utf-8").splitlines()
    assert [described(name) for name in clew.__all__] == listed, "run python tests/test_public_api.py"


def test_every_public_name_is_known_to_tools_that_complete_names() -> None:
    assert set(clew.__all__) <= set(dir(clew))
    assert len(clew.__all__) == len(set(clew.__all__))


def test_every_public_function_and_class_is_described() -> None:
    for name in clew.__all__:
        value = getattr(clew, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert inspect.getdoc(value), name


if __name__ == "__main__":
    LISTED.write_text("".join(f"{described(name)}\n" for name in clew.__all__), encoding="utf-8")
