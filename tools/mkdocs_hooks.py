"""Brings the experiments and their generated results into the documentation site; mkdocs.yml names this file.

The results stay where the scripts write them, in experiments/results. Pages link to them as to any other file of the
repository, and on the site these links lead to copies.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "experiments" / "results"
GUIDE = "results/experiments.md"  # where experiments/README.md is on the site


def on_files(files: Files, config: Any) -> Files:
    """Add the guide to the experiments and the results as pages of the site."""
    files.append(File.generated(config, GUIDE, abs_src_path=str(ROOT / "experiments" / "README.md")))
    for path in sorted(RESULTS.iterdir()):
        if path.suffix in (".md", ".png"):
            files.append(File.generated(config, f"results/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links between the documentation and the results to where they are on the site."""
    depth = page.file.src_uri.count("/")
    if page.file.src_uri == GUIDE:
        return markdown.replace("](../docs/", "](../").replace("](results/", "](")
    if page.file.src_uri.startswith("results/"):
        return markdown.replace("](../../docs/", "](../")
    outside = "../" * (depth + 1) + "experiments/"
    markdown = markdown.replace(f"]({outside}README.md", f"]({'../' * depth}{GUIDE}")
    return markdown.replace(f"]({outside}results/", f"]({'../' * depth}results/")
