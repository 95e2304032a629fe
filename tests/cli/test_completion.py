"""`clew completion` and the manual page, read by the shells and by man themselves."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from clew.cli.commands import commands
from clew.cli.main import main

ROOT = Path(__file__).parents[2]
ASK = """source {script}
COMP_WORDS=({words}); COMP_CWORD={last}; _shtab_clew; echo "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def bash_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "clew"
    script.write_text(capsys.readouterr().out)
    return script


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("clew expl", {"explain"}),
        ("clew export --form", {"--format"}),
        ("clew crawl --within ho", {"hosts"}),
        ("clew lab comp", {"compare"}),
    ],
)
def test_bash_completes(words: str, offered: set[str], bash_script: Path) -> None:
    question = ASK.format(script=bash_script, words=words, last=words.count(" "))
    answer = subprocess.run(["bash", "-c", question], capture_output=True, text=True, check=True)
    assert set(answer.stdout.split()) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_accept_their_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = tmp_path / "clew"
    script.write_text(capsys.readouterr().out)
    assert all(name in script.read_text() for name in commands())
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed: its script was written, but not read")
    subprocess.run([shell, "-n", str(script)], check=True)


def test_the_manual_page_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("manpage", ROOT / "tools" / "manpage.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = (ROOT / "docs" / "clew.1").read_text(encoding="utf-8")
    assert written == module.page(), "run `python tools/manpage.py`"
    assert all(f".SH CLEW {name.upper()}" in written for name in commands())
