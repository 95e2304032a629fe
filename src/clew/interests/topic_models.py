"""How topics learn from examples: the name of a model, and the parameters of the one that has any."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

from clew.config import unknown
from clew.config.parts import make_part, parse_spec
from clew.errors import ConfigError, InterestError
from clew.interests.vocabulary import VocabularyModel

VOCABULARY: Final = "vocabulary"
TOPIC_MODELS: Final = ("linear", "bayes", "hierarchy", VOCABULARY)


@dataclass(frozen=True, slots=True)
class TopicModel:
    """A model as the setting `topic_model` writes it.

    >>> TopicModel.of("vocabulary(k=1)").vocabulary.k, TopicModel.of("bayes").name
    (1, 'bayes')
    """

    name: str = "linear"
    vocabulary: VocabularyModel = field(default_factory=VocabularyModel)

    @classmethod
    def of(cls, text: str) -> Self:
        """The model that a text names; InterestError if there is none, or if it has no such parameter."""
        try:
            name, arguments = parse_spec(text)
            if name not in TOPIC_MODELS:
                raise InterestError(unknown("topic_model", name, list(TOPIC_MODELS)))
            if name == VOCABULARY:
                return cls(name, make_part(text, "topic_models", {VOCABULARY: VocabularyModel}))
        except ConfigError as error:
            raise InterestError(str(error)) from error
        if arguments:
            raise InterestError(f"the topic model {name} has no parameters")
        return cls(name)

    @property
    def is_vocabulary(self) -> bool:
        """Whether topics are vocabularies."""
        return self.name == VOCABULARY

    @property
    def is_hierarchy(self) -> bool:
        """Whether all topics are measured together."""
        return self.name == "hierarchy"

    @property
    def binary(self) -> str:
        """The model for one topic against everything else: there, a hierarchy is naive Bayes."""
        return "bayes" if self.is_hierarchy else self.name
