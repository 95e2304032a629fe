"""Documents whose terms and text are unpacked only when they are used: most never are."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from functools import cached_property
from typing import Any, Self

from clew.types import Doc


class LazyTerms(Mapping[str, int]):
    """The terms of a page, stored as numbers and turned into a dictionary on first use.

    >>> terms = LazyTerms([[1, 0], [3, 2]].__getitem__, ["boat", "sail"])
    >>> sum(terms.values()), terms["sail"], dict(terms)
    (5, 3, {'sail': 3, 'boat': 2})
    """

    def __init__(self, load: Callable[[int], list[int]], words: Sequence[str]) -> None:
        self._load = load  # load(0): places in the list of words; load(1): counts
        self._words = words

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
        # Pickled as a plain dictionary: `_load` would drag the whole world along.
        return dict, (self._found,)

    def get(self, word: str, default: Any = None) -> Any:
        """The count of a word, or a default."""
        # Mapping would build this and the following methods from single lookups, which is slow.
        return self._found.get(word, default)

    def keys(self) -> KeysView[str]:
        """The words."""
        return self._found.keys()

    def items(self) -> ItemsView[str, int]:
        """The words with their counts."""
        return self._found.items()

    def values(self) -> ValuesView[int]:
        """The counts."""
        # Every visit asks for their sum; the numbers alone answer that without a dictionary.
        return _Counts(self, self._load(1))


class _Counts(ValuesView[int]):
    def __init__(self, terms: LazyTerms, counts: list[int]) -> None:
        super().__init__(terms)
        self._counts = counts

    def __iter__(self) -> Iterator[int]:
        return iter(self._counts)


class LazyDoc(Doc):
    """A document whose text is loaded on first use.

    >>> doc = LazyDoc.of(lambda: "Boats and sails", url="http://a.org/")
    >>> doc.text, doc.title
    ('Boats and sails', '')
    """

    __slots__ = ("_load_text",)
    _load_text: Callable[[], str]

    @classmethod
    def of(cls, load_text: Callable[[], str], **facts: Any) -> Self:
        """A document with these fields, whose text is loaded at most once."""
        doc = cls(**facts)
        # Doc is frozen. With the attribute deleted, the first access to the text reaches __getattr__.
        object.__setattr__(doc, "_load_text", load_text)
        object.__delattr__(doc, "text")
        return doc

    def __getattr__(self, name: str) -> Any:
        """Load the text on first access; every other attribute exists and does not get here."""
        if name != "text":
            raise AttributeError(name)
        object.__setattr__(self, "text", self._load_text())
        return self.text
