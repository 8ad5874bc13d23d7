"""Standings as text: who is where, how surely, and what each won from each."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Final

from dealer.bots.program_files import earlier_lines
from dealer.ratings.rating_table import guard_lines, rows_of
from dealer.results.standing import (
    BotStanding,
    CrosstableCell,
    PairingStanding,
    Standings,
    challenger_lines,
)
from dealer.series.manifest import Manifest
from dealer.series.series import Series
from dealer.server.endings import Ending
from engine.console.quantities import UNKNOWN, interval, percent
from engine.console.text_table import aligned
from engine.estimates.estimators import AIVAT, ALLIN, RAW, name_in_sets
from engine.estimates.hand_estimates import Rating
from engine.estimates.places import range_text
from engine.estimates.ranking_certainty import RESAMPLES
from engine.estimates.winrate import FEWEST_EQUAL_SAMPLES

_MOST_LINES: Final = 20
_MOST_NAMED: Final = 20
_MOST_CYCLES: Final = 5
_LEGS_NAMED: Final = 3
_ESTIMATOR_CLAUSES: Final = {
    RAW: "",
    ALLIN: ", run-outs at their all-in expectation",
    AIVAT: ", corrected by AIVAT for the luck that can be computed",
}
_CHIP_RANKS: Final = (
    "2-5: one of the places 2 to 5, with 95 % for each bot over the noise of all cells; bots that "
    "cannot be told apart share places",
    "rank: by mean win rate over all opponents. run-off: the last bot is removed and the rest "
    "ranked again, until one is left. Bots with more forfeited legs rank lower in both",
    f"is first, above next: share of {RESAMPLES:,} bootstrap resamples of the deals in which the "
    "bot is first, or above the next one; -: not known",
)
_DECIDED_FURTHER: Final = (
    "some pairings played more deals because of what their results were: 95 % is for one look at "
    "the end, and holds less often where the play stopped at a result"
)
_KNOCKOUT_RANKS: Final = (
    "who goes on: who forfeited fewer legs, then who won more in the duplicate sets as played, "
    "then in all hands, then the better seed",
    "rank: by how far a bot came, of equals by fewer forfeited legs, then by mean win rate over "
    "all opponents",
)
_NASH_RANKS: Final = (
    "mbb/h: who wins most from this field. Nash: what the bot wins from the mixture that no bot "
    "beats, and its place by that, with 95 % by bootstrap. share: of the bot in that mixture",
    "wins-losses: opponents from whom it won and to whom it lost, by whatever margin",
)
_SIGNIFICANT: Final = "significant at 5 % by the betting test (Holm's adjustment for all pairings)"
_OF_TABLES: Final = (
    "crosstable: of P at a table, a bot won from another (P - 1) / P of the difference of their "
    "results where both sat; the mean over opponents is what it won"
)
_GAUNTLET_RANKS: Final = "of a gauntlet the challengers alone are ranked, among themselves"
SURE_MARK: Final = "*"


def standing_text(tournament: Manifest, standings: Standings) -> str:
    """Return the ranking, the crosstable and what their numbers mean; a knockout's rounds first."""
    if not standings.hands and not standings.legs:
        return "no hand is in the logs\n"
    parts = [headline(tournament, standings), ""]
    if standings.knockout:
        parts += [winner_line(standings), "", *aligned(bracket_rows(standings), texts=4), ""]
    parts += [*aligned(ranking_rows(standings), texts=2), ""]
    if standings.hands:
        parts += [*aligned(crosstable_rows(standings)), "", *challenger_lines(standings.gaps)]
        parts += [*estimator_lines(standings), ""]
    parts += [
        *notes(tournament, standings),
        *guard_lines(standings.comparisons),
        *earlier_lines(tournament.bots),
    ]
    return "\n".join(parts) + "\n"


def headline(tournament: Manifest, standings: Standings) -> str:
    """Return what was played so far, one line."""
    return (
        f"{tournament.style_name} of {len(tournament.labels)} bots, "
        f"{tournament.game_name}, seed {tournament.seed}: {standings.legs:,} of "
        f"{standings.legs_planned:,} legs over, {standings.hands:,} hands"
    )


def ranking_rows(standings: Standings) -> list[list[str]]:
    """Return the ranking as rows of cells, the first one their titles."""
    by_chips = [] if standings.knockout else ["is first", "above next", "run-off"]
    by_nash = [] if standings.nash is None else ["wins-losses", "Nash", "Nash, mbb/h", "share"]
    attacked = ["exploitable by"] if standings.bounds else []
    rows = [["rank", "bot", "mbb/h, 95 %", *by_chips, *by_nash, *attacked, "hands", "forfeits"]]
    for bot, first, above in standings.ranking():
        shares = []
        if by_chips:
            shares = [percent(first), percent(above), _range_cell(standings.places(bot)["run_off"])]
        bound_cells = [_bound(standings, bot)] if attacked else []
        nash = _nash_cells(standings, bot)
        counts = [f"{bot.hands:,}", str(bot.forfeits)]
        rows.append([rank_text(standings, bot), *_who(bot), *shares, *nash, *bound_cells, *counts])
    return rows


def rank_text(standings: Standings, bot: BotStanding) -> str:
    """Return the places that a bot may have by total bankroll; in a knockout its own."""
    return str(bot.rank) if standings.knockout else _range_cell(standings.places(bot)["bankroll"])


def _range_cell(places: tuple[int, int] | None) -> str:
    return UNKNOWN if places is None else range_text(places)


def _bound(standings: Standings, bot: BotStanding) -> str:
    bound = standings.bounds.get(bot.label)
    return UNKNOWN if bound is None else interval(bound.mbb_per_hand, bound.ci95, 0)


def _nash_cells(standings: Standings, bot: BotStanding) -> list[str]:
    """Return pairwise wins, the Nash average and the share in its mixture; nothing without them."""
    if standings.nash is None:
        return []
    at = standings.bots.index(bot)
    low, high = standings.nash.low[at], standings.nash.high[at]
    ends = "" if math.isnan(low) else f" ({round(low):+,} to {round(high):+,})"
    return [
        f"{bot.wins}-{bot.losses}",
        _range_cell(standings.places(bot)["nash"]),
        f"{round(standings.nash.ratings[at]):+,}{ends}",
        percent(float(standings.nash.shares[at])),
    ]


def _who(bot: BotStanding) -> list[str]:
    won = UNKNOWN if bot.bankroll is None else interval(bot.bankroll, bot.ci95, 0)
    return [bot.label, won]


def crosstable_rows(standings: Standings) -> list[list[str]]:
    """Return what each bot (row) won from each (column) as rows of cells, best bots first."""
    order = [standings.bots.index(bot) for bot in standings.ranked()]
    cells = cells_of(standings)
    return [
        ["mbb/h", *(standings.bots[opponent].label for opponent in order)],
        *(
            [standings.bots[bot].label, *(cells.get((bot, opponent), "") for opponent in order)]
            for bot in order
        ),
    ]


def estimator_lines(standings: Standings) -> list[str]:
    """Return what the first bot of each pairing won, or each bot of a table, by every estimator."""
    ratings = [
        Rating(
            standings.bots[pairing.bot].label,
            tuple(standings.bots[opponent].label for opponent in pairing.opponents),
            pairing.hands,
            pairing.estimates,
        )
        for pairing in standings.pairings
        if pairing.hands
    ]
    return rows_of(ratings, against=True)


def cells_of(standings: Standings) -> dict[tuple[int, int], str]:
    """Return the text of each cell of the crosstable that has one, from the row's view."""
    cells: dict[tuple[int, int], str] = {}
    for pairing in standings.pairings:
        if pairing.hands:
            places = (pairing.bot, *pairing.opponents)
            cells |= dict.fromkeys(permutations(places, 2), "?")
    for cell in standings.cells:
        cells[cell.bot, cell.opponent] = _cell_text(cell, 1)
        cells[cell.opponent, cell.bot] = _cell_text(cell, -1)
    return cells


def _cell_text(cell: CrosstableCell, sign: int) -> str:
    """Return a cell: of the first of two bots where `sign` is 1, of the other where -1."""
    return interval(sign * cell.mbb_per_hand, cell.ci95, 0) + (SURE_MARK if cell.decided else " ")


def notes(tournament: Manifest, standings: Standings) -> list[str]:
    """Return what the numbers mean, line by line."""
    how = f"duplicate sets{_ESTIMATOR_CLAUSES[standings.estimator]}"
    return [
        f"mbb/h: thousandths of a big blind per hand won, from {how}; ±: 95 % interval;",
        *([f"{SURE_MARK}: {_SIGNIFICANT}"] if standings.players == 2 else [_OF_TABLES]),
        f"± ?: too few sets to tell: one, or fewer than {FEWEST_EQUAL_SAMPLES} that are all alike; "
        "?: no deal was played from both seats yet",
        *(_KNOCKOUT_RANKS if standings.knockout else _CHIP_RANKS),
        *([_DECIDED_FURTHER] if standings.legs_planned > tournament.leg_count else []),
        *([] if standings.challengers is None else [_GAUNTLET_RANKS]),
        *([] if standings.nash is None else _NASH_RANKS),
        *_cycle_lines(standings),
        *_bound_lines(standings),
        *(
            f"{label} joined when {legs:,} legs were over"
            for label, legs in standings.joined.items()
        ),
        "x1.5 behind an interval: without this estimator it takes 1.5 times as many hands",
        "forfeits: legs that a bot broke off; hands finished before count, nothing else does",
        *_aivat_notes(standings),
    ]


def _cycle_lines(standings: Standings) -> list[str]:
    """Return cycles of significant wins; none where there are none."""
    names = [[standings.bots[bot].label for bot in cycle] for cycle in standings.cycles()]
    texts = [" > ".join([*cycle, cycle[0]]) for cycle in names[:_MOST_CYCLES]]
    rest = len(names) - len(texts)
    more = f"; and {rest:,} more" if rest else ""
    return (
        [f"cycles, each win significant ({SURE_MARK}): {'; '.join(texts)}{more}"] if texts else []
    )


def _bound_lines(standings: Standings) -> list[str]:
    """Return what attacks win from whom, and where that is from; none where none is on record."""
    if not standings.bounds:
        return []
    texts = [f"{name}: {bound.attack} ({bound.source})" for name, bound in standings.bounds.items()]
    return [
        "exploitable by: mbb/h that the best known attack wins, a lower bound, so -: none on "
        f"record; {'; '.join(texts)}"
    ]


def _aivat_notes(standings: Standings) -> list[str]:
    """Return which value function and whose strategies AIVAT had, one line; none without it."""
    facts = [pairing.aivat for pairing in standings.pairings if pairing.aivat]
    if not facts:
        return []
    values = ", ".join(sorted({str(estimation["values"])[:12] for estimation in facts}))
    known_bots = {name: bot for estimation in facts for name, bot in estimation["known"].items()}
    labels = [bot.label for bot in standings.bots if bot.label in known_bots]
    named = ", ".join(labels[:_MOST_NAMED])
    more = len(labels) - _MOST_NAMED
    named += f" and {more} more" if more > 0 else ""
    return [
        f"AIVAT: value function {values}; strategies known, each in all its pairings: "
        f"{named or 'none'}; of other bots the cards alone are corrected for"
    ]


def unfinished_text(series: Series) -> str:
    """Return which legs were forfeited or are not over, a line each; "" when all is well."""
    legs_of: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for entry in series.ledger.entries.values():
        if entry.forfeited:
            detail, stderr = series.cause(entry)
            cause = f"forfeited by {entry.bot} ({entry.ending.value}) after {entry.hands:,} hands"
            cause += f": {detail}" if detail else ""
            legs_of.setdefault((cause, stderr), []).append(entry.leg)
    lines = []
    for (cause, stderr), legs in legs_of.items():
        rest = f" and {len(legs) - _LEGS_NAMED} more" if len(legs) > _LEGS_NAMED else ""
        lines += [f"{', '.join(legs[:_LEGS_NAMED])}{rest}: {cause}"]
        lines += [f"    | {line}" for line in stderr]
    for name, outcome in series.outcomes.items():
        if outcome.ending is not Ending.INTERRUPTED:
            lines.append(f"{name}: {outcome.ending.value}: {outcome.detail}")
            lines += [f"    | {line}" for line in outcome.stderr]
    more = len(lines) - _MOST_LINES
    if more > 0:
        lines = [*lines[:_MOST_LINES], f"and {more} more, see {series.ledger.path}"]
    return "".join(f"{line}\n" for line in lines)


_TITLES: Final = ("round", "winner", "loser", "by")


def winner_line(standings: Standings) -> str:
    """Return who won a knockout, in one line."""
    return (
        "winner: not known yet" if standings.winner is None else f"winner: {standings.winner.label}"
    )


def bracket_rows(standings: Standings) -> list[list[str]]:
    """Return the pairings of a knockout round by round as rows of cells, the first one titles."""
    rounds = (len(standings.bots) - 1).bit_length()
    rows = [list(_TITLES)]
    for stage in range(rounds):
        title = "final" if stage == rounds - 1 else str(stage + 1)
        pairings = [pairing for pairing in standings.pairings if pairing.stage == stage]
        rows += [[title, *_outcome_cells(standings, pairing)] for pairing in pairings]
        if stage == 0:
            meet = {bot for pairing in pairings for bot in (pairing.bot, *pairing.opponents)}
            waiting = [bot.label for at, bot in enumerate(standings.bots) if at not in meet]
            rows += [[title, label, UNKNOWN, "waits a round"] for label in waiting]
    return rows


def _outcome_cells(standings: Standings, pairing: PairingStanding) -> list[str]:
    """Return winner, loser, and the criterion that decided."""
    first, second = standings.bots[pairing.bot].label, standings.bots[pairing.opponents[0]].label
    if pairing.winner is None:
        return [f"{first} or {second}", UNKNOWN, "not over"]
    sign = 1 if pairing.winner == pairing.bot else -1
    names = [first, second][::sign]
    forfeits = pairing.forfeits[::sign]
    if forfeits[0] != forfeits[1]:
        return [*names, f"forfeited legs, {forfeits[0]} to {forfeits[1]}"]
    rates = [each.rate for each in pairing.estimates if each.name == name_in_sets(RAW)]
    if not rates or not rates[0].mbb_per_hand:
        return [*names, "all hands, or the better seed: equal in the duplicate sets"]
    return [*names, f"{interval(sign * rates[0].mbb_per_hand, rates[0].ci95, 0)} mbb/h"]
