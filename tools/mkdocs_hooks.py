"""Brings the generated results of the experiments into the documentation site; mkdocs.yml names this file.

The results stay where the scripts write them, in experiments/results. Pages link to them as to any other file of the
repository, and on the site these links lead to copies.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "experiments" / "results"


def on_files(files: Files, config: Any) -> Files:
    """Add the results as pages of the site."""
    for path in sorted(RESULTS.iterdir()):
        if path.suffix in (".md", ".png"):
            files.append(File.generated(config, f"results/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links between the documentation and the results to where they are on the site."""
    depth = page.file.src_uri.count("/")
    if page.file.src_uri.startswith("results/"):
        return markdown.replace("](../../docs/", "](../")
    outside = "../" * (depth + 1) + "experiments/results/"
    return markdown.replace(f"]({outside}", f"]({'../' * depth}results/")
