"""The page of the service in one file: every module inside, and data that ends no element."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess

import pytest

from clew.errors import ClewError
from clew.serve import bundle

SCRIPTS = sorted(path.name for path in (bundle.STATIC / "js").iterdir())
INLINE = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(\"style"
)


def test_modules_come_after_what_they_import() -> None:
    text = bundle.bundled("report.js")
    assert text.index('modules["text.js"] =') < text.index('modules["dom.js"] =') < text.index('modules["report.js"] =')
    assert text.count('modules["dom.js"] =') == 1
    assert "\nimport " not in text
    assert "\nexport " not in text


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_bundle_is_sound_javascript() -> None:
    checked = subprocess.run(["node", "--check", "-"], input=bundle.bundled("main.js"), text=True, capture_output=True)
    assert checked.stderr == ""


def test_an_unknown_form_of_import_is_an_error(tmp_path, monkeypatch) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "odd.js").write_text('import * as all from "./text.js";\n')
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    with pytest.raises(ClewError, match=r"js/odd\.js"):
        bundle.bundled("odd.js")


def test_data_ends_no_element() -> None:
    page = bundle.standalone("report.js", {"title": "</script><script>alert(1)</script><!--"})
    assert page.count("<script") == 2
    assert page.count("</script>") == 2


def test_the_policy_allows_only_what_is_in_the_file() -> None:
    page = bundle.standalone("report.js", {})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    for element in ("style", "script"):
        content = re.search(rf"<{element}>(.*?)</{element}>", page, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_module_makes_markup_or_code_of_text(name: str) -> None:
    assert not INLINE.search((bundle.STATIC / "js" / name).read_text())


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere() -> None:
    text = (bundle.STATIC / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script>|https?://", text)
    assert "https://" not in (bundle.STATIC / "clew.css").read_text()
