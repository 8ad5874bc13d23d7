"""The replayer as one file that needs no server and no network: styles, scripts and logs inside.

Scripts are ES modules, one file each.  In a page of one file they stand one behind the other, what
is imported first, each as a function that returns what it exports:

    import { make } from "./dom.js";        const { make } = module_dom;
    export function make(...) { ... }       const module_dom = (() => { ...; return { make }; })();

A content security policy lets nothing run or be loaded but what stands in the file, by its digest.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGES: Final = Path(__file__).parent
"""The folder with the pages; each has a folder of styles and scripts, and all have one together."""

_STYLE: Final = re.compile(r'<link rel="stylesheet" href="([a-z/]+\.css)">\n')
_SCRIPT: Final = re.compile(r'<script type="module" src="([a-z/]+\.js)"></script>\n')
_IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "(\.[a-z./]+\.js)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export ((?:async )?function\*?|class|const) ([A-Za-z_]\w*)", re.MULTILINE
)
_POLICY: Final = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'"


def single_page(document: Mapping[str, Any]) -> str:
    """Return the replayer with its logs as one page.

    Args:
        document: {"logs": [{"name": ..., "game": ..., "text": lines}]}; any text may be in it.
    """
    page = _read("replay.html")
    scripts = [_inlined(found[1]) for found in _SCRIPT.finditer(page)]
    styles = [_read(found[1]) for found in _STYLE.finditer(page)]
    policy = "; ".join(
        (_POLICY, f"script-src {_digests(scripts)}", f"style-src {_digests(styles)}")
    )
    data = json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        *(f"<style>{style}</style>\n" for style in styles),
    ]
    tail = [
        f'<script type="application/json" id="embedded-logs">{data}</script>\n',
        *(f'<script type="module">{script}</script>\n' for script in scripts),
    ]
    page = _SCRIPT.sub("", _STYLE.sub("", page))
    page = page.replace("<title>", "".join(head) + "<title>", 1)
    return page.replace("</body>", "".join(tail) + "</body>", 1)


def _read(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def _inlined(main: str) -> str:
    """Return a module with all that it imports as one script."""
    parts: dict[str, str] = {}
    text = _with_imports(main, parts)
    return "\n" + "".join(parts.values()) + text


def _with_imports(name: str, parts: dict[str, str]) -> str:
    """Return a module's text with its imports replaced; add those modules to `parts` before.

    Args:
        name: of its file in the folder, as of those in `parts`; no two of them end alike.
    """
    text = _read(name)
    folder = posixpath.dirname(name)
    for found in _IMPORT.finditer(text):
        other = posixpath.normpath(posixpath.join(folder, found[2]))
        if other not in parts:
            body = _with_imports(other, parts)
            exports = ", ".join(export[2] for export in _EXPORT.finditer(body))
            body = _EXPORT.sub(r"\1 \2", body)
            parts[other] = (
                f"const {_module(other)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
            )
    return _IMPORT.sub(lambda found: f"const {found[1]} = {_module(found[2])};\n", text)


def _module(path: str) -> str:
    return f"module_{posixpath.basename(path).removesuffix('.js')}"


def _digests(texts: list[str]) -> str:
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in texts]
    return " ".join(f"'sha256-{digest.decode()}'" for digest in digests)
