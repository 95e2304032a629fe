"""Words: terms, stop words, fingerprints of texts, and what English words mean."""
