"""The files of the pages: small, without markup from data, without anything from elsewhere."""

import re

import pytest

from dealer.pages.single_page import PAGES

FILES = sorted(path for path in PAGES.rglob("*") if path.suffix in (".js", ".css", ".html"))
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
MOST_LINES = 300
COLUMNS = {".js": 100, ".css": 120, ".html": 120}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_can_be_read_at_a_sitting(path):
    """No long files, no long lines; scripts say what they are for."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MOST_LINES
    assert not [line for line in lines if len(line) > COLUMNS[path.suffix]]
    assert path not in SCRIPTS or lines[0].startswith("// ")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere(path):
    """No address but the name space of SVG."""
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z0-9.-]+\.[a-z]{2,}/|@import|url\(", text)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_data_never_becomes_markup(path):
    """What makes elements or programs of text is not used."""
    text = path.read_text(encoding="utf-8")
    refused = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function"
    assert not re.search(refused, text)


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".html"])
def test_pages_have_no_script_and_no_style_of_their_own(path):
    """The server's content security policy allows none."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text)
    assert all(" src=" in script for script in re.findall(r"<script[^>]*>", text))
    for name in re.findall(r'(?:src|href)="([a-z][a-z./]*)"', text):
        assert (PAGES / name).is_file()


def test_every_script_is_used():
    """By a page or another script."""
    used = {
        (path.parent / name).resolve()
        for path in FILES
        if path.suffix != ".css"
        for name in re.findall(r'"([a-z./]+\.js)"', path.read_text(encoding="utf-8"))
    }
    assert used == set(SCRIPTS)
