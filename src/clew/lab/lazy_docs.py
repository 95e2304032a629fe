"""Documents of which most is never looked at: words and text are unpacked when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from functools import cached_property
from typing import Any, Self

from clew.types import Doc


class LateTerms(Mapping[str, int]):
    """The terms of a page as numbers, and as a dictionary from the first question on.

    >>> terms = LateTerms([[1, 0], [3, 2]].__getitem__, ["boat", "sail"])
    >>> sum(terms.values()), terms["sail"], dict(terms)
    (5, 3, {'sail': 3, 'boat': 2})
    """

    def __init__(self, load: Callable[[int], list[int]], words: Sequence[str]) -> None:
        self._load, self._words = load, words  # load(0): places in the list of words; load(1): counts

    @cached_property
    def _found(self) -> dict[str, int]:
        return dict(zip(map(self._words.__getitem__, self._load(0)), self._load(1), strict=True))

    def __getitem__(self, word: str) -> int:
        return self._found[word]

    def __contains__(self, word: object) -> bool:
        return word in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._load(1))

    def __repr__(self) -> str:
        return repr(self._found)

    def __reduce__(self) -> tuple[type[dict[str, int]], tuple[dict[str, int]]]:
        return dict, (self._found,)  # pickled without the world

    def get(self, word: str, default: Any = None) -> Any:
        """As of a dictionary; so are the others, which the base class would make of single questions."""
        return self._found.get(word, default)

    def keys(self) -> KeysView[str]:
        """The words."""
        return self._found.keys()

    def items(self) -> ItemsView[str, int]:
        """The words with their counts."""
        return self._found.items()

    def values(self) -> ValuesView[int]:
        """The counts; they need no words, and every visit asks for their sum."""
        return _Counts(self, self._load(1))


class _Counts(ValuesView[int]):
    def __init__(self, terms: LateTerms, counts: list[int]) -> None:
        super().__init__(terms)
        self._counts = counts

    def __iter__(self) -> Iterator[int]:
        return iter(self._counts)


class LateDoc(Doc):
    """A document whose text comes late.

    >>> doc = LateDoc.of(lambda: "Boats and sails", url="http://a.org/")
    >>> doc.text, doc.title
    ('Boats and sails', '')
    """

    __slots__ = ("_late",)
    _late: Callable[[], str]

    @classmethod
    def of(cls, load_text: Callable[[], str], **facts: Any) -> Self:
        """A document with these facts and a text that is asked for at most once."""
        doc = cls(**facts)
        object.__setattr__(doc, "_late", load_text)
        object.__delattr__(doc, "text")
        return doc

    def __getattr__(self, name: str) -> Any:
        """Only what is missing gets here: the text, the first time."""
        if name != "text":
            raise AttributeError(name)
        object.__setattr__(self, "text", self._late())
        return self.text
