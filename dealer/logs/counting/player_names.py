"""Who is who: names in logs turned into players, for all commands that count what players did."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from engine.console.command import Option

TABLE_NUMBER_SUFFIX: Final = r"\.[0-9]+"


RENAMING_OPTIONS: Final = (
    Option(
        "--strip-suffix [REGEX]",
        "cut this off the ends of names, to merge players who sat at several tables "
        f"(without REGEX: {TABLE_NUMBER_SUFFIX})",
        const=TABLE_NUMBER_SUFFIX,
    ),
    Option("--rename OLD=NEW", "count the hands of OLD as NEW's; may be repeated", repeated=True),
)


def renaming(suffix: str | None, renames: Sequence[str]) -> Callable[[str], str]:
    """Return what turns a name in a log into a player.

    Raises:
        ValueError: the pattern or a renaming cannot be understood.
    """
    try:
        pattern = re.compile(f"(?:{suffix})$") if suffix is not None else None
    except re.error as error:
        raise ValueError(f"--strip-suffix {suffix}: {error}") from error
    names: dict[str, str] = {}
    for rename in renames:
        old, equals, new = rename.partition("=")
        if not (old and equals and new):
            raise ValueError(f"--rename {rename}: want OLD=NEW")
        names[old] = new

    def player(name: str) -> str:
        name = names.get(name, name)
        if pattern is None:
            return name
        short = pattern.sub("", name)
        return names.get(short, short) or name

    return player
