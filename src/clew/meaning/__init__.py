"""What words mean: a small vocabulary of English with a direction for each word."""

from clew.meaning.vocabulary import Vocabulary, vocabulary

__all__ = ["Vocabulary", "vocabulary"]
