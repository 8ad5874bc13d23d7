"""A browser without a window, where Chromium and playwright are there."""

import shutil
from contextlib import contextmanager

import pytest

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""In the order in which they are taken: the first needs half of the CPU time of the others."""
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-software-rasterizer")
"""Without its sandbox it also runs for root, as in containers; it shows our pages alone.

Where there is no graphics card, drawing as if there were one only takes longer.
"""


def browser_program():
    """Return the path of the browser that is taken, None where there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def open_browser():
    """Open Chromium; skips the test, with the reason, where something that it needs is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = browser_program()
    if program is None:
        pytest.skip("no browser to show the pages in: make setup-browser installs one")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
