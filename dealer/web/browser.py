"""The user's own browser."""

import contextlib
import os
import sys
import webbrowser
from typing import Final

from engine.console.command import Option

NO_BROWSER: Final = Option("--no-browser", "print the link, and open no browser")


def open_browser(link: str) -> None:
    """Open a link where there is a screen; a browser for terminals would take this one's."""
    if sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(link)
