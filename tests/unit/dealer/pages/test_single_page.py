"""The page of one file: complete, closed, and whatever stands in a log is text in it."""

import base64
import hashlib
import json
import re

from dealer.pages.single_page import PAGES, single_page

HOSTILE = "</script><script>alert(1)</script><!-- \u2028 \u202e & ]]>"


def embedded(page):
    """Return the document in a page."""
    (data,) = re.findall(r'<script type="application/json" id="embedded-logs">(.*)</script>', page)
    return json.loads(data)


def test_the_document_is_in_the_page_as_it_was():
    """Whatever characters it has; none of them ends the element that holds it."""
    document = {"logs": [{"name": HOSTILE, "game": None, "text": f"STATE:{HOSTILE}\n\udc80"}]}
    page = single_page(document)
    assert embedded(page) == document
    assert "alert(1)</script" not in page


def test_the_policy_names_what_is_in_the_page():
    """Every script and style by its digest, and nothing else may run or be loaded."""
    page = single_page({"logs": []})
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        texts = re.findall(rf'<{tag}(?: type="module")?>(.*?)</{tag}>', page, re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in texts]
        assert rules[rule].split() == [f"'sha256-{digest.decode()}'" for digest in digests]
        assert texts
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_scripts_are_all_there_once():
    """Each module that the replayer imports, before what imports it; no import is left."""
    page = single_page({"logs": []})
    assert not re.search(r"^(?:import|export) ", page, re.MULTILINE)
    defined = re.findall(r"^const module_([a-z]+) = \(\(\) => \{", page, re.MULTILINE)
    assert len(defined) == len(set(defined))
    wanted, new = set(), {PAGES / "replay" / "replayer.js"}
    while new:
        imported = {
            (path.parent / name).resolve()
            for path in new
            for name in re.findall(r'from "([a-z./]+\.js)"', path.read_text(encoding="utf-8"))
        }
        new = imported - wanted
        wanted |= new
    assert set(defined) == {path.stem for path in wanted}
    for name in defined:
        used = [found.start() for found in re.finditer(rf"= module_{name};", page)]
        assert page.index(f"const module_{name} =") < min(used)
