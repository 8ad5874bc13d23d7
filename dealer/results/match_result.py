"""From the logs of a match to its result: win rates by several estimators on the same hands.

raw          the chips as paid, hand by hand
sets         duplicate sets: the mean over the seatings of each deal
allin        as raw, with all-in expectation in the place of run-out luck
allin_sets   both
aivat        as raw, corrected for the luck that can be computed
aivat_sets   the same in duplicate sets

Another estimator is another entry of the values in `MatchLogs.played`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.errors import MatchError
from dealer.ratings.rating_documents import estimates_document
from dealer.ratings.titles import TITLES, quoted_name
from dealer.results.aivat import LegEstimates
from dealer.series.logs import LegLog, MatchLogs, SeatLog
from engine.console.quantities import interval
from engine.console.text_table import aligned
from engine.equity.allin import logged_expectation
from engine.errors import EngineError
from engine.estimates.agreement import EstimatorPair, adjusted, comparisons
from engine.estimates.estimators import (
    AIVAT,
    ALLIN,
    DUPLICATE_SET,
    RAW,
    Estimate,
    HandValues,
    SampleUnits,
    estimates,
    with_sets,
)
from engine.estimates.winrate import WinRate
from engine.rules.pots import hand_bounds
from engine.rules.view import state_of_betting
from protocol.errors import ProtocolError
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord, parse_log_line


@dataclass(frozen=True, slots=True)
class BotResult:
    """What one bot won."""

    label: str
    chips: float
    """Chips won as paid, over all hands."""
    estimates: tuple[Estimate, ...]
    """Estimators that do not apply are left out."""

    @property
    def rates(self) -> dict[str, WinRate]:
        """Win rate by estimator."""
        return {estimate.name: estimate.rate for estimate in self.estimates}


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What was played and who won it."""

    bots: tuple[BotResult, ...]
    hands: int
    """Hands played, all legs together."""
    hands_planned: int
    sets: int
    """Deals played in every seating; 0 outside duplicate."""
    run_outs: int
    """Hands that all-in expectation changes."""
    big_blind: int
    """Chips."""
    comparisons: tuple[EstimatorPair, ...] = ()
    """Estimators compared on the same hands: do they agree?"""
    fixed: bool = True
    """Whether the number of hands was fixed beforehand."""
    sit_in: SeatResult | None = None
    """Beside the player of the log for whom the first bot sits in, if it does."""

    @property
    def players(self) -> list[tuple[str, dict[str, WinRate]]]:
        """Label and win rates of each bot, for the verdict."""
        return [(bot.label, bot.rates) for bot in self.bots]


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHands:
    """See the head of this file."""

    values: Mapping[str, NDArray[np.float64]]
    deal: NDArray[np.int64]
    deals: int
    """D."""
    seatings: int
    """S; 1 where deals are played in one seating only."""
    big_blind: int
    """Chips."""
    bounds: tuple[float, float]
    """See `engine.rules.pots.hand_bounds`."""

    def estimates(self, bot: int) -> tuple[Estimate, ...]:
        """Return the win rates of one bot by every estimator."""
        table = self._hand_values(bot)
        return estimates(self._in_sets(table), self.big_blind, self.bounds)

    def comparisons(self, bot: int, labels: Sequence[str]) -> list[EstimatorPair]:
        """Return each two estimators of one bot compared; probabilities not yet adjusted."""
        opponents = [label for player, label in enumerate(labels) if player != bot]
        return comparisons(
            self._hand_values(bot),
            self.big_blind,
            labels[bot],
            ", ".join(opponents),
            self.deal if self.seatings > 1 else None,
        )

    @property
    def sets(self) -> int:
        """Deals that were played in every seating."""
        return int((np.bincount(self.deal, minlength=self.deals) == self.seatings).sum())

    def set_means(self, name: str, bot: int) -> NDArray[np.float64]:
        """Return (D,) chips per hand of one bot in each deal, nan where a seating is missing."""
        played = np.bincount(self.deal, minlength=self.deals)
        sums = np.bincount(self.deal, self.values[name][:, bot], self.deals)
        return np.where(played == self.seatings, sums / self.seatings, np.nan)

    def _hand_values(self, bot: int) -> list[HandValues]:
        return [HandValues(name, chips[:, bot]) for name, chips in self.values.items()]

    def _in_sets(self, table: list[HandValues]) -> list[HandValues]:
        if self.seatings == 1:
            return table
        played = np.bincount(self.deal, minlength=self.deals)
        unit = np.where((played == self.seatings)[self.deal], self.deal, -1)
        share = np.full(len(unit), 1.0 / self.seatings)
        return with_sets(table, SampleUnits(DUPLICATE_SET, unit, share, whole=True))


def played_hands(
    logs: Sequence[LegLog],
    values: Mapping[str, Sequence[NDArray[np.float64]]],
    seatings: int,
    game: GameDef,
) -> PlayedHands:
    """Return the finished hands of all legs.

    Args:
        logs: of all legs, run by run, as far as they are read.
        values: estimator -> chips of each leg (H, B).
        seatings: legs of a run.
    """
    hands = len(logs[0].played)
    deal = [leg // seatings * hands + np.flatnonzero(log.played) for leg, log in enumerate(logs)]
    return PlayedHands(
        {
            name: np.concatenate([chips[log.played] for chips, log in zip(legs, logs, strict=True)])
            for name, legs in values.items()
        },
        np.concatenate(deal),
        hands * (len(logs) // seatings),
        seatings,
        game.big_blind,
        hand_bounds(game),
    )


def expected_chips(
    game: GameDef,
    logs: Sequence[LegLog],
    progress: Callable[[int], None],
    hands: range | None = None,
) -> list[NDArray[np.float64]]:
    """Return for each leg of one run its (H, B) float64 chips with run-outs at their expectation.

    Args:
        logs: the legs of one run, which share their deals.
        progress: told the number of run-outs each time some more are done.
        hands: those that are wanted; None: all.

    Raises:
        MatchError: a line cannot be read again or is no legal hand.
    """
    expected = [log.chips.copy() for log in logs]
    todo = np.concatenate([np.insert(log.run_outs, 0, leg, axis=1) for leg, log in enumerate(logs)])
    if hands is not None:
        todo = todo[(todo[:, 1] >= hands.start) & (todo[:, 1] < hands.stop)]
    # Deal by deal: the seatings of one deal mostly need the same boards, and those are remembered.
    todo = todo[np.argsort(todo[:, 1], kind="stable")]
    with ExitStack() as stack:
        files = [
            stack.enter_context(log.path.open("rb")) if len(log.run_outs) else None for log in logs
        ]
        for done, (leg, hand, offset) in enumerate(todo):
            file = files[leg]
            if file is None:
                continue
            file.seek(offset)
            line = file.readline().decode("utf-8", "surrogateescape")
            try:
                values, names = _expectation(game, line)
            except (ProtocolError, EngineError, ValueError) as exc:
                raise MatchError(f"{logs[leg].path}: {exc}: {line[:120].rstrip()}") from exc
            expected[leg][hand, logs[leg].columns(names)] = values
            if done % 16 == 15:
                progress(16)
        progress(len(todo) % 16)
    return expected


def _expectation(game: GameDef, line: str) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return the expected chips and the names by position of one STATE line."""
    record = parse_log_line(line)
    if not isinstance(record, HandRecord):
        raise ValueError("not a STATE line")
    values = logged_expectation(state_of_betting(game, record.betting), record.cards)
    return values or tuple(map(float, record.values)), record.names


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


def seat_text(result: SeatResult) -> str:
    """Return a table of both in the seat, and in a line who won more there."""
    if not result.hands:
        return ""
    names = [estimate.name for estimate in result.difference]
    rows = [[f"in the seat of {result.player}", *(TITLES[name] for name in names)]]
    rows += [
        [label, *(interval(estimate.rate.mbb_per_hand, estimate.rate.ci95) for estimate in row)]
        for label, row in (
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
    rates = {estimate.name: estimate.rate for estimate in result.difference}
    name = quoted_name(rates)
    rate = rates[name]
    margin = interval(abs(rate.mbb_per_hand), rate.ci95).removeprefix("+")
    more = "more" if rate.mbb_per_hand >= 0 else "less"
    hands = "1 hand" if result.hands == 1 else f"{result.hands:,} hands"
    return (
        f"{result.bot} won {margin} mbb/h {more} than {result.player} on the same {hands} "
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


def match_result(
    logs: MatchLogs,
    progress: Callable[[int], None] | None = None,
    aivat: Sequence[NDArray[np.float64]] | None = None,
    seat_aivat: LegEstimates | None = None,
) -> MatchResult:
    """Return the result over the hands read so far.

    Args:
        progress: told how many more run-outs have been looked at; None leaves all-in
            expectation out.
        aivat: estimates of each leg, (H, B) chips; None leaves them out.
        seat_aivat: estimates of the log in which the first bot sits in, likewise.

    Raises:
        MatchError: a log cannot be read.
    """
    played = hands_of_match(logs, progress, aivat)
    bots = tuple(
        BotResult(label, float(sum(log.total[bot] for log in logs.logs)), played.estimates(bot))
        for bot, label in enumerate(logs.labels)
    )
    others = range(1 if len(logs.labels) == 2 else len(logs.labels))  # of two, one is enough
    return MatchResult(
        bots=bots,
        hands=logs.hands,
        hands_planned=logs.hands_planned,
        sets=bots[0].rates["sets"].samples if logs.seatings > 1 else 0,
        run_outs=logs.run_outs,
        big_blind=logs.game.big_blind,
        comparisons=tuple(
            adjusted(pair for bot in others for pair in played.comparisons(bot, logs.labels))
        ),
        sit_in=None
        if logs.seat is None
        else seat_result(logs.seat, logs.labels[0], logs.game, played, seat_aivat),
    )


def hands_of_match(
    logs: MatchLogs,
    progress: Callable[[int], None] | None = None,
    aivat: Sequence[NDArray[np.float64]] | None = None,
) -> PlayedHands:
    """Return the hands read so far with their values.

    Raises:
        MatchError: a log cannot be read.
    """
    values: dict[str, Sequence[NDArray[np.float64]]] = {RAW: [log.chips for log in logs.logs]}
    if progress is not None:
        legs = (expected_chips(logs.game, run, progress) for run in logs.by_run())
        values[ALLIN] = [chips for run in legs for chips in run]
    if aivat is not None:
        values[AIVAT] = aivat
    return played_hands(logs.logs, values, logs.seatings, logs.game)


def seat_result(
    log: SeatLog,
    bot: str,
    game: GameDef,
    played: PlayedHands,
    aivat: LegEstimates | None = None,
) -> SeatResult:
    """Return how the bot did beside the player.

    Args:
        played: the hands of the match; those of the bot are the first column.
        aivat: estimates of the hands of the log; None leaves them out.

    Raises:
        MatchError: the log cannot be read.
    """
    log.read_new()
    log_chips = {RAW: log.chips[:, 0]}
    if ALLIN in played.values:
        log_chips[ALLIN] = expected_chips(game, [log], lambda done: None)[0][:, 0]
    if aivat is not None and AIVAT in played.values:
        log_chips[AIVAT] = aivat.chips[:, 0]
    of_player = {name: chips[played.deal] for name, chips in log_chips.items()}
    of_bot = {name: played.values[name][:, _BOT] for name in log_chips}
    difference = {name: of_bot[name] - of_player[name] for name in log_chips}

    def rated(values: dict[str, NDArray[np.float64]]) -> tuple[Estimate, ...]:
        table = [HandValues(name, chips) for name, chips in values.items()]
        return estimates(table, game.big_blind)

    return SeatResult(
        log.player,
        bot,
        len(played.deal),
        rated(of_player),
        rated(of_bot),
        rated(difference),
        aivat.facts if aivat is not None and AIVAT in log_chips else {},
    )
