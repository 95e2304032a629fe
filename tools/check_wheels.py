"""Checks that nobody has to compile: `python tools/check_wheels.py [--python 3.14 ...] [--platform TAG ...]`.

For every supported Python, pip resolves the core and each extra with wheels only, as on that Python and platform, and
downloads nothing. One row for each distribution, one column for each Python; a dash where it is not needed.
Exits with 1 if something has no wheel.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# What glibc 2.28 and later take; older ones first in a wheel's name, so that all of them have to be listed.
PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_24_x86_64", "manylinux_2_26_x86_64", "manylinux_2_27_x86_64",
             "manylinux_2_28_x86_64")  # fmt: skip
MISSING = "MISSING"

Versions = dict[str, str]


def requirements() -> dict[str, list[str]]:
    """The core and each extra, without the extras that only name others."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = f"{project['name']}["
    parts = {"core": project["dependencies"], **project["optional-dependencies"]}
    return {name: wanted for name, wanted in parts.items() if not any(line.startswith(own) for line in wanted)}


def suits(requirement: str, python: str) -> bool:
    """Whether a requirement holds on a Python; pip reads markers by the Python it runs on, not by the one it is told.

    >>> suits("backports.zstd>=1.0; python_version < '3.14'", "3.14")
    False
    """
    from pip._vendor.packaging.requirements import Requirement

    marker = Requirement(requirement).marker
    return marker is None or marker.evaluate({"python_version": python, "python_full_version": f"{python}.0"})


def resolved(wanted: list[str], python: str, platforms: list[str]) -> tuple[Versions, str]:
    """What pip would install, and its complaint if it cannot."""
    lines = [line.partition(";")[0].strip() for line in wanted if suits(line, python)]
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--target"]
        command += [scratch, "--only-binary=:all:", "--python-version", python, "--report", str(report)]
        for platform in platforms:
            command += ["--platform", platform]
        done = subprocess.run([*command, *lines], capture_output=True, text=True)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            return {}, "\n".join(errors) or done.stderr
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {each["metadata"]["name"].lower(): each["metadata"]["version"] for each in found}, ""


def failing(wanted: list[str], python: str, platforms: list[str]) -> list[str]:
    """The requirements that cannot be met by themselves."""
    return [line for line in wanted if suits(line, python) and resolved([line], python, platforms)[1]]


def main(argv: list[str] | None = None) -> int:
    """Resolve everything, print the table."""
    parser = argparse.ArgumentParser(description="whether all dependencies have wheels")
    parser.add_argument("--python", nargs="+", default=list(PYTHONS), help=f"versions ({' '.join(PYTHONS)})")
    parser.add_argument("--platform", nargs="+", default=list(PLATFORMS), help="platform tags (manylinux, x86_64)")
    args = parser.parse_args(argv)
    table: dict[str, dict[str, str]] = {}
    problems: list[str] = []
    for python in args.python:
        for part, wanted in requirements().items():
            found, error = resolved(wanted, python, args.platform)
            if error:
                bad = failing(wanted, python, args.platform)
                problems.append(f"Python {python}, {part}: {', '.join(bad) or error}")
                found = {line.partition(">")[0].lower(): MISSING for line in bad}
            for name, version in found.items():
                table.setdefault(name, {})[python] = version
    print(f"{'distribution':<24}" + "".join(f"{python:>18}" for python in args.python))
    for name, row in sorted(table.items()):
        print(f"{name:<24}" + "".join(f"{row.get(python, '-'):>18}" for python in args.python))
    for problem in problems:
        print(f"no wheel: {problem}", file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
