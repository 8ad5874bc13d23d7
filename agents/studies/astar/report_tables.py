"""The report's duels as tables and as a picture."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from agents.studies.astar.report_sections import ARTICLE, RANDOM
from agents.studies.pool.duels import BLOCK, paired_gain
from engine.console.line_chart import ChartLine, line_chart
from engine.console.quantities import interval
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agents.studies.astar.report_sections import Section
    from agents.studies.pool.duels import DuelResult

    Results = Mapping[tuple[str, str], DuelResult]

CURVES: Final = ("astar", "ashe", "blueprint", "statistical")
"""Agents whose adaptation is drawn."""
WINDOW: Final = 10
"""Blocks of a moving mean: 5000 hands."""
_COUNTER: Final = "counter"
_NOTHING: Final = "-"


class Share(NamedTuple):
    """From how many opponents the leader of a section wins more than another agent."""

    other: str
    group: str
    """Of the opponents."""
    of: int
    """How many they are."""
    more: int
    surely_more: int
    """By the paired difference and its 95 % interval."""
    surely_less: int


def section_table(section: Section, results: Results) -> list[str]:
    """Return the lines of a table: a row for each opponent, a column for each agent.

    Below them the means that the section asks for, and what was published of the same rows.
    """
    agents = list(section.agents)
    if section.only_own:
        agents = [_COUNTER, *(one for one in agents if not one.startswith(f"{_COUNTER}-"))]
    rows = [["", *agents]]
    for opponent in section.opponents:
        rows.append([opponent, *_cells(results, agents, (opponent,))])
        rows += _published(agents, opponent)
    for name, opponents in section.means:
        rows.append([f"mean, {name}", *_cells(results, agents, opponents)])
        rows += _published(agents, name)
    return [*aligned(rows), *(_told(section, share) for share in shares(section, results))]


def _cells(results: Results, agents: Sequence[str], opponents: Sequence[str]) -> Iterator[str]:
    """Yield what each agent wins from some opponents in the mean, - where one was not played."""
    for agent in agents:
        found = [results.get((_met_by(agent, opponent), opponent)) for opponent in opponents]
        rates = [one.rate for one in found if one is not None]
        if len(rates) < len(opponents):
            yield _NOTHING
            continue
        mean = sum(rate.mbb_per_hand for rate in rates) / len(rates)
        half = math.hypot(*(rate.ci95 for rate in rates)) / len(rates)
        yield interval(mean, half, 0)


def _met_by(agent: str, opponent: str) -> str:
    return f"{agent}-{opponent}" if agent == _COUNTER else agent


def _published(agents: Sequence[str], opponent: str) -> list[list[str]]:
    """Return the row of published numbers, if there is any."""
    told = [ARTICLE.get((_met_by(agent, opponent), opponent)) for agent in agents]
    if all(one is None for one in told):
        return []
    return [["  published", *(_NOTHING if one is None else f"{one:+,.0f}" for one in told)]]


def shares(section: Section, results: Results) -> list[Share]:
    """Return from how many opponents the leader of a section wins more than each other agent.

    Of each group whose mean is told, then of all opponents; where somebody was not met by both,
    of the others.
    """
    groups = [*section.means, ("all", section.opponents)]
    found = []
    for other in section.agents if section.leader else ():
        for group, opponents in groups:
            gains = [
                paired_gain(results[section.leader, opponent], results[other, opponent])
                for opponent in opponents
                if other != section.leader
                and (section.leader, opponent) in results
                and (other, opponent) in results
            ]
            if gains:
                more = sum(gain > 0 for gain, _ in gains)
                surely = sum(gain > half for gain, half in gains)
                less = sum(gain < -half for gain, half in gains)
                found.append(Share(other, group, len(gains), more, surely, less))
    return found


def _told(section: Section, share: Share) -> str:
    return (
        f"{section.leader} wins more than {share.other} from {share.more} of {share.of} "
        f"({share.group}); surely more from {share.surely_more}, surely less from "
        f"{share.surely_less}"
    )


def adaptation_svg(results: Sequence[DuelResult]) -> str:
    """Return the picture of what is won as time goes by from an opponent that changes."""
    lines = []
    for result in results:
        if result.duel.one not in CURVES or result.duel.other != RANDOM:
            continue
        sums = list(accumulate(result.blocks, initial=0.0))
        points = [
            (2.0 * BLOCK * end, (sums[end] - sums[end - WINDOW]) / WINDOW)
            for end in range(WINDOW, len(sums))
        ]
        lines.append(ChartLine(result.duel.one, points))
    title = "Against an opponent that changes every 500 hands"
    return line_chart(title, "mbb/h, moving mean of 5000 hands", "hands", lines)
