"""Measures what an installation takes: `python tools/install_size.py [--extra NAME ...] [--limit MB]`.

Builds the wheel, installs it with all dependencies into a fresh virtual environment, and prints the size of every
installed distribution, the largest first. pip and setuptools are left out: they belong to the environment, not to clew.
Exits with 1 if the whole is larger than the limit.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
MB = 1_000_000
LIMIT_MB = 182
# Run by the fresh environment: the files of each distribution, and the bytecode that pip has compiled from them.
MEASURE = """
import json
from importlib.metadata import distributions
sizes = {}
for distribution in distributions():
    paths = {str(file.locate()) for file in distribution.files or ()}
    sizes[distribution.metadata["Name"]] = sorted(paths)
print(json.dumps(sizes))
"""


def built_wheel(folder: Path, python: Path | str = sys.executable) -> Path:
    """The wheel of this checkout, built into a folder."""
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT]
    subprocess.run([str(word) for word in command], check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def installed(wheel: Path, extras: list[str], folder: Path) -> Path:
    """The interpreter of a fresh environment that holds the wheel and its dependencies."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    wanted = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", wanted], check=True)
    return python


def sizes(python: Path) -> dict[str, float]:
    """Distributions and their megabytes, the largest first."""
    answer = subprocess.run([str(python), "-c", MEASURE], capture_output=True, text=True, check=True).stdout
    found: dict[str, float] = {}
    for name, paths in json.loads(answer).items():
        if name not in ("pip", "setuptools"):
            found[name] = sum(Path(path).stat().st_size for path in paths if Path(path).is_file()) / MB
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def main(argv: list[str] | None = None) -> int:
    """Build, install, measure, print."""
    parser = argparse.ArgumentParser(description="the size of an installation in megabytes")
    parser.add_argument("--extra", action="append", default=[], help="install this extra too; may be repeated")
    parser.add_argument("--limit", type=float, default=LIMIT_MB, help=f"fail above so many MB ({LIMIT_MB})")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as scratch:
        wheel = built_wheel(Path(scratch))
        found = sizes(installed(wheel, args.extra, Path(scratch) / "venv"))
    for name, size in found.items():
        print(f"{size:8.1f} MB  {name}")
    total = sum(found.values())
    print(f"{total:8.1f} MB  in all; the limit is {args.limit:g} MB")
    return int(total > args.limit)


if __name__ == "__main__":
    sys.exit(main())
