"""A browser without a window, where Chromium and playwright are there."""

import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def open_browser():
    """Open Chromium; skips the test, with the reason, where something that it needs is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium to show the pages with")
    with api.sync_playwright() as playwright:
        # Without its sandbox it also runs for root, as in containers; it shows our pages alone.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
