"""Puts the page of the service into one HTML file that works from disk: styles, modules and data inside.

Browsers load no modules from `file://`, so each module becomes a function of one script. Only the forms of `import` and
`export` that our own modules use are known; anything else is an error, which a test would show.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
from pathlib import Path
from typing import Any, Final

from clew.errors import ClewError

STATIC: Final = Path(__file__).with_name("static")
_IMPORT: Final = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w.]+)";$', re.M)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)
_LEFT: Final = re.compile(r"^(?:import|export) ", re.M)
_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>clew</title>
<style>{style}</style>
</head>
<body>
<main id="content"></main>
<dialog id="sheet"></dialog>
<div id="notices" role="status" aria-live="polite"></div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def standalone(module: str, data: dict[str, Any]) -> str:
    """A page that runs a module of the service on data of its own."""
    # The stand-ins of licence comments end here: a style or script that closed itself would be markup.
    style = (STATIC / "vendor" / "uPlot.min.css").read_text() + (STATIC / "clew.css").read_text()
    plots = (STATIC / "vendor" / "uPlot.iife.min.js").read_text()
    # A variable at the top of a script is global; inside a function it would not be.
    script = f"{plots}\n(() => {{\n{bundled(module)}}})();\n"
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; base-uri 'none'; "
        "form-action 'none'"
    )
    return _PAGE.format(policy=policy, style=style, script=script, data=json_in_html(data))


def json_in_html(data: Any) -> str:
    """JSON that ends no element, whatever its texts say.

    >>> json_in_html({"title": "</script><b>"})
    '{"title": "\\\\u003c/script>\\\\u003cb>"}'
    """
    return json.dumps(data, allow_nan=False, ensure_ascii=True).replace("<", "\\u003c")


def bundled(module: str) -> str:
    """A module and all that it imports, as one script."""
    done: dict[str, str] = {}
    _add(module, done)
    return "const modules = {};\n" + "".join(done.values())


def _add(name: str, done: dict[str, str]) -> None:
    text = (STATIC / "js" / name).read_text()
    for _, imported in _IMPORT.findall(text):
        if imported not in done:
            _add(imported, done)
    exports = ", ".join(_EXPORT.findall(text))
    body = _IMPORT.sub(r'const { \1 } = modules["\2"];', _EXPORT.sub("", text))
    if left := _LEFT.search(body):
        raise ClewError(f"{posixpath.join('js', name)}: unknown form of module text at character {left.start()}")
    done[name] = f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();\n'


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
