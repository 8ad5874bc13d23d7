"""The options of deepstack."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.options import BotOptions, above_zero, option, whole_from

if TYPE_CHECKING:
    from engine.networks.board_network import BoardValueNetwork


@dataclass(frozen=True, slots=True)
class DeepStackOptions(BotOptions):
    """How deepstack plays, as a command line says it."""

    networks: str | None = option(
        None,
        "folder with preflop-end, flop-end or turn-end.network, for the shipped ones",
        "FOLDER",
    )
    seconds: float = option(2.0, "of a decision, at most", "S", check=above_zero)
    iterations: float | None = option(
        None, "of a decision, in the trees of --seconds, not by a clock", "N", check=whole_from(1)
    )

    def __post_init__(self) -> None:
        """Check each option, and read the networks of a folder."""
        BotOptions.__post_init__(self)
        if self.networks is not None:
            networks_of(self.networks)


def networks_of(folder: str | None) -> list[BoardValueNetwork]:
    """Return networks of ends of streets, those of a folder, and the shipped where it has none.

    Raises:
        ArtifactMismatch: a network's file is missing or damaged, or of other boards.
        ValueError: the folder has none.
    """
    from engine.search.network_leaves import NETWORK_OF_STREET, street_end_network

    there = [folder is not None and Path(folder, name).exists() for name in NETWORK_OF_STREET]
    if folder is not None and not any(there):
        *others, last = NETWORK_OF_STREET
        raise ValueError(f"networks {folder}: no {', '.join(others)} or {last} is there")
    return [
        street_end_network(street, Path(folder)) if folder and own else street_end_network(street)
        for street, own in enumerate(there)
    ]


def repeats(**options: float | str | None) -> bool:
    """Return whether a bot with these options plays by the strategy that it tells.

    By a clock it plays as the machine's speed allows.
    """
    return options.get("iterations") is not None
