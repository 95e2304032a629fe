"""Asks for chapters of Debian's manuals in their own language: does the right chapter get the highest score?

    python experiments/languages.py FOLDER

The packages of the translations are fetched into the folder with `apt-get download`, unless they are there already. The
chapters of each translation are judged by one keyword each; a line says at which rank the chapter about it comes, and
the last line how many are first.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from clew.interests import build
from clew.parse import parse
from clew.types import Doc

# Package, then keywords by the beginning of the name of the file of the chapter.
CHAPTERS = {
    "debian-faq-de": {"kernel": "Kernel", "redistributing": "kommerzielle Produkte", "compatibility": "Kompatibilität"},
    "debian-faq-fr": {"kernel": "noyau", "redistributing": "produits commerciaux", "compatibility": "compatibilité"},
    "debian-faq-ru": {"kernel": "ядра", "redistributing": "коммерческий продукт", "compatibility": "совместимость"},
    "debian-faq-ja": {"kernel": "カーネル", "redistributing": "再配布", "compatibility": "互換性"},
    "debian-faq-zh-cn": {"kernel": "内核", "redistributing": "商业产品", "compatibility": "兼容性"},
    "debian-reference-de": {"ch05": "Netzwerke", "ch02": "Paketverwaltung", "ch12": "Programmierung"},
    "debian-reference-fr": {"ch05": "réseaux", "ch02": "paquet", "ch12": "programmation"},
    "debian-reference-es": {"ch05": "redes", "ch02": "paquete", "ch12": "programación"},
    "debian-reference-ja": {"ch05": "ネットワーク", "ch02": "パッケージ管理", "ch12": "プログラミング"},
    "debian-reference-zh-cn": {"ch05": "网络", "ch02": "软件包管理", "ch12": "编程"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    ranks: list[int] = []
    for package, chapters in CHAPTERS.items():
        docs = read(fetched(package, folder))
        language = package.removeprefix("debian-").partition("-")[2][:2]
        recognised = sum(doc.language == language for doc in docs.values())
        print(f"{package}: {recognised} of {len(docs)} chapters are recognised as {language}")
        for chapter, keyword in chapters.items():
            rank = rank_of(chapter, keyword, docs)
            ranks.append(rank)
            print(f"  {keyword}: rank {rank}")
    print(f"{ranks.count(1)} of {len(ranks)} are first, {sum(rank <= 3 for rank in ranks)} among the first three")


def fetched(package: str, folder: Path) -> Path:
    """The folder with the files of a package."""
    target = folder / package
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=folder, check=True, capture_output=True)
        [archive] = folder.glob(f"{package}_*.deb")
        subprocess.run(["dpkg", "-x", archive, target], check=True)
    return target


def read(folder: Path) -> dict[str, Doc]:
    """The chapters by their file names, without tables of contents."""
    found = {}
    for path in sorted(folder.rglob("*.html")):
        if path.is_file() and not path.is_symlink() and not path.name.startswith("index"):
            found[path.name] = parse(path.read_bytes(), f"http://debian.test/{path.name}", "text/html")
    return found


def rank_of(chapter: str, keyword: str, docs: dict[str, Doc]) -> int:
    """The place of a chapter when all are sorted by their score for a keyword."""
    interest = build(f'"{keyword}"')
    scores = {name: interest.judge(doc).relevance for name, doc in docs.items()}
    own = max(score for name, score in scores.items() if name.startswith(chapter))
    # A chapter without the keyword is found no earlier than all others.
    return 1 + sum(score > own for score in scores.values()) if own else len(scores)


if __name__ == "__main__":
    main()
