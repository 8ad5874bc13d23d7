"""The user's own browser."""

import argparse
import contextlib
import os
import sys
import webbrowser


def add_no_browser(parser: argparse.ArgumentParser) -> None:
    """Add --no-browser."""
    parser.add_argument(
        "--no-browser", action="store_true", help="print the link, and open no browser"
    )


def open_browser(link: str) -> None:
    """Open a link where there is a screen; a browser for terminals would take this one's."""
    if sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(link)
