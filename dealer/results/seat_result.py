"""What the one who sits in won beside the player of the log, hand by hand.

H hands of the log, N hands that were played again:

    the player   (H,) float64  chips in the log, with all-in expectation, and by AIVAT
    the bot      (N,) float64  chips in the match, likewise
    difference   (N,) float64  bot - player on the same cards; its interval is that of the mean of
                               these pairs, narrower than that of two results apart
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from dealer.ratings.documents import estimates_document
from dealer.ratings.titles import TITLES, quoted_name
from dealer.results.leg_log import LegLog
from dealer.results.run_outs import expected_chips
from engine.console.quantities import interval
from engine.console.text_table import aligned
from engine.estimates.estimators import AIVAT, ALLIN, RAW, Estimate, HandValues, estimates

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from dealer.legs.sit_in import SitIn
    from dealer.results.aivat_files import LegEstimates
    from dealer.results.played_hands import PlayedHands
    from protocol.gamedef import GameDef

_BOT: Final = 0


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Two players in one seat, on the same N hands; estimators as in the result of the match."""

    player: str
    """Of the log."""
    bot: str
    """Label of the one who sat in."""
    hands: int
    """N."""
    of_player: tuple[Estimate, ...]
    of_bot: tuple[Estimate, ...]
    difference: tuple[Estimate, ...]
    """What the bot won more, paired hand by hand."""
    aivat: Mapping[str, Any] = field(default_factory=dict)
    """Which value function, and whose strategies were known in the log; empty without AIVAT."""


class SeatLog(LegLog):
    """The hands of the log, in the order of the match; column 0 is the player's."""

    def __init__(self, path: Path, sit_in: SitIn, players: int, hands: int) -> None:
        super().__init__(path, [str(place) for place in range(players)], hands)
        self.player = sit_in.player

    @property
    def names(self) -> set[str]:
        """Who plays in the hands read so far."""
        return {name for names in self._columns for name in names}

    def result(
        self, game: GameDef, bot: str, played: PlayedHands, aivat: LegEstimates | None = None
    ) -> SeatResult:
        """Return how the bot did beside the player.

        Args:
            played: the hands of the match; those of the bot are the first column.
            aivat: estimates of the hands of the log; None leaves them out.

        Raises:
            MatchError: the log cannot be read.
        """
        self.read_new()
        own = {RAW: self.chips[:, 0]}
        if ALLIN in played.values:
            own[ALLIN] = expected_chips(game, [self], lambda done: None)[0][:, 0]
        if aivat is not None and AIVAT in played.values:
            own[AIVAT] = aivat.chips[:, 0]
        of_player = {name: chips[played.deal] for name, chips in own.items()}
        of_bot = {name: played.values[name][:, _BOT] for name in own}
        difference = {name: of_bot[name] - of_player[name] for name in own}

        def rated(values: dict[str, NDArray[np.float64]]) -> tuple[Estimate, ...]:
            table = [HandValues(name, chips) for name, chips in values.items()]
            return estimates(table, game.big_blind)

        return SeatResult(
            self.player,
            bot,
            len(played.deal),
            rated(of_player),
            rated(of_bot),
            rated(difference),
            aivat.facts if aivat is not None and AIVAT in own else {},
        )

    def _learn(self, names: tuple[str, ...]) -> list[int]:
        if self.player not in names:
            return []
        own = names.index(self.player)
        players = len(names)
        self._columns[names] = [(position - own) % players for position in range(players)]
        return self._columns[names]


def seat_text(result: SeatResult) -> str:
    """Return a table of both in the seat, and in a line who won more there."""
    if not result.hands:
        return ""
    names = [one.name for one in result.difference]
    rows = [[f"in the seat of {result.player}", *(TITLES[name] for name in names)]]
    rows += [
        [label, *(interval(one.rate.mbb_per_hand, one.rate.ci95) for one in found)]
        for label, found in (
            (f"{result.player}, in the log", result.of_player),
            (result.bot, result.of_bot),
            ("difference, hand by hand", result.difference),
        )
    ]
    lines = aligned(rows)
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join([*lines, "", f"sit-in: {seat_words(result)}"])


def seat_words(result: SeatResult) -> str:
    """Return in one line who won more in the seat, by the lowest-variance estimator available."""
    rates = {one.name: one.rate for one in result.difference}
    name = quoted_name(rates)
    rate = rates[name]
    told = interval(abs(rate.mbb_per_hand), rate.ci95).removeprefix("+")
    more = "more" if rate.mbb_per_hand >= 0 else "less"
    hands = "1 hand" if result.hands == 1 else f"{result.hands:,} hands"
    return (
        f"{result.bot} won {told} mbb/h {more} than {result.player} on the same {hands} "
        f"({TITLES[name]}, hand by hand)"
    )


def seat_document(result: SeatResult) -> dict[str, Any]:
    """Return the result for programs; differences are what the bot won more."""
    return {
        "player": result.player,
        "bot": result.bot,
        "hands": result.hands,
        "text": seat_words(result) if result.hands else None,
        "player_win_rates": estimates_document(result.of_player),
        "bot_win_rates": estimates_document(result.of_bot),
        "paired_differences": estimates_document(result.difference),
        **({"aivat_of_log": dict(result.aivat)} if result.aivat else {}),
    }
