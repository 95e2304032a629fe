"""Text: terms, stop words, fingerprints of texts, and embeddings of English words."""
