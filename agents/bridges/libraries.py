"""Other people's libraries, imported when a bridge to one of them is asked for and not before."""

from __future__ import annotations

import importlib
import warnings
from typing import Any, Final

from agents.errors import AgentError

EXTRA: Final = "bridges"
DISTRIBUTIONS: Final = {
    "gymnasium": "gymnasium",
    "open_spiel": "open_spiel",
    "pettingzoo": "pettingzoo",
    "pokerkit": "pokerkit",
    "pyspiel": "open_spiel",
}


class MissingLibrary(AgentError):
    """A bridge leads to a library that is not installed."""

    exit_code = 1


def library(module: str) -> Any:
    """Import a module of another library.

    pyspiel warns about how its bindings were compiled whenever it is imported; that is kept quiet.

    Raises:
        MissingLibrary: it is not installed; the message says what to install.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            needed = DISTRIBUTIONS.get((error.name or "").partition(".")[0])
            if needed is None:
                raise  # it is there, and something else that it needs is not
            raise MissingLibrary(
                f"this needs {needed}, which is not installed: pip install 'acpc-arena[{EXTRA}]'"
            ) from error
