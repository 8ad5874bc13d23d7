"""The files of the standings: text, CSV, JSON, a picture of the crosstable, and one HTML page."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from dealer.bots.program_files import earlier_lines, files_document
from dealer.ratings.rating_documents import estimates_document, finite_number, guard_document
from dealer.results.standing import (
    BotStanding,
    PairingStanding,
    Standings,
    challenger_lines,
    challengers_document,
    share_or_none,
)
from dealer.results.standing_text import (
    bracket_rows,
    cells_of,
    headline,
    notes,
    rank_text,
    ranking_rows,
    standing_text,
    winner_line,
)
from dealer.series.folder import PAIRINGS_NAME, STANDING_NAMES
from dealer.series.manifest import Manifest
from engine.console.quantities import UNKNOWN, percent
from engine.console.svg import add_text, new_picture, svg_text
from engine.estimates.estimators import name_in_sets
from engine.storage.atomic import write_whole


def publish_standings(
    folder: Path, tournament: Manifest, standings: Standings, facts: dict[str, Any]
) -> None:
    """Write all files of the standings.

    Raises:
        OSError: a file cannot be written.
    """
    document = json.dumps(facts, indent=2, allow_nan=False) + "\n"
    contents = (
        standing_text(tournament, standings),
        standing_csv(standings),
        ranking_csv(standings),
        document,
        standing_page(tournament, standings, document),
        crosstable_svg(standings),
    )
    for name, content in zip(STANDING_NAMES, contents, strict=True):
        write_whole(folder / name, content)


def standing_csv(standings: Standings) -> str:
    """Return a line for each pairing, from its first bot's view; what is not known is empty.

    Of tables of more than two, a line for each bot; its opponents have bars between them.
    """
    titles = (
        *("bot", "opponent", "mbb_per_hand", "ci95", "samples", "hands", "decided"),
        *("estimator", "value_function", "strategies_known"),
    )
    rows = [
        (
            standings.bots[pairing.bot].label,
            "|".join(standings.bots[opponent].label for opponent in pairing.opponents),
            f"{pairing.quoted.mbb_per_hand:.3f}" if pairing.quoted.samples else "",
            f"{pairing.ci95:.3f}" if math.isfinite(pairing.ci95) else "",
            pairing.quoted.samples,
            pairing.hands,
            int(pairing.decided),
            pairing.quoted_name,
            pairing.aivat.get("values", ""),
            "|".join(pairing.aivat.get("known", ())),
        )
        for pairing in standings.pairings
    ]
    return _csv([titles, *rows])


def ranking_csv(standings: Standings) -> str:
    """Return a line for each bot, the best one first; what is not known is empty."""
    titles = "rank,bot,mbb_per_hand,ci95,is_first,above_next,run_off_rank,hands,forfeited_legs,"
    titles += "wins,losses,nash_mbb_per_hand,nash_low,nash_high,nash_share,rank_best,rank_worst,"
    titles += "run_off_best,run_off_worst,nash_best,nash_worst,exploitable_by,exploitable_ci95"
    rows = [
        (
            bot.rank if standings.is_ranked(bot) else "",
            bot.label,
            "" if bot.bankroll is None else f"{bot.bankroll:.3f}",
            "" if bot.bankroll is None or not math.isfinite(bot.ci95) else f"{bot.ci95:.3f}",
            "" if first is None else f"{first:.4f}",
            "" if above is None else f"{above:.4f}",
            bot.run_off_rank if standings.is_ranked(bot) else "",
            bot.hands,
            bot.forfeits,
            bot.wins,
            bot.losses,
            *(
                "" if number is None else f"{number:.4f}"
                for number in _nash(standings, bot).values()
            ),
            *(end for ends in standings.places(bot).values() for end in ends or ("", "")),
            *_bound_cells(standings, bot),
        )
        for bot, first, above in standings.ranking()
    ]
    return _csv([titles.split(","), *rows])


def _bound_cells(standings: Standings, bot: BotStanding) -> tuple[object, object]:
    bound = standings.bounds.get(bot.label)
    return ("", "") if bound is None else (bound.mbb_per_hand, bound.ci95)


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def standing_facts(tournament: Manifest, standings: Standings) -> dict[str, Any]:
    """Return the standings as plain values for JSON; numbers that are not known are None."""
    sure = standings.bootstrap
    return {
        "digest": tournament.digest,
        "style": tournament.style_name,
        "game": {"file": tournament.game_name, "sha256": tournament.game_sha256},
        "seed": tournament.seed,
        "rounds": tournament.runs,
        "hands_per_leg": tournament.hands,
        "legs": standings.legs,
        "legs_planned": standings.legs_planned,
        "hands": standings.hands,
        "rated_by": name_in_sets(standings.estimator),
        "winner": None if standings.winner is None else standings.winner.label,
        "bots": [
            {
                "label": bot.label,
                "words": list(tournament.bots[at].words),
                "files": files_document(tournament.bots[at]),
                "rank": bot.rank if standings.is_ranked(bot) else None,
                "run_off_rank": bot.run_off_rank if standings.is_ranked(bot) else None,
                "bankroll_mbb_per_hand": bot.bankroll,
                "bankroll_ci95": finite_number(bot.ci95),
                "joined_after_legs": standings.joined.get(bot.label, 0),
                "hands": bot.hands,
                "forfeited_legs": bot.forfeits,
                "wins": bot.wins,
                "losses": bot.losses,
                "nash": None if standings.nash is None else _nash(standings, bot),
                "places95": standings.places(bot),
                "exploitable_by": asdict(standings.bounds[bot.label])
                if bot.label in standings.bounds
                else None,
                "above": None if sure is None else _shares(sure.above[at]),
                "rank_shares": None if sure is None else _shares(sure.bankroll_ranks[at]),
                "run_off_rank_shares": None if sure is None else _shares(sure.run_off_ranks[at]),
            }
            for at, bot in enumerate(standings.bots)
        ],
        "cycles": [[standings.bots[bot].label for bot in cycle] for cycle in standings.cycles()],
        "challengers": challengers_document(standings.gaps),
        "pairings": [_pairing(standings, pairing) for pairing in standings.pairings],
        "guard": guard_document(standings.comparisons),
    }


def _nash(standings: Standings, bot: BotStanding) -> dict[str, float | None]:
    """Return a bot's Nash average with its interval and share; None where it is not known."""
    names, at = ("ratings", "low", "high", "shares"), standings.bots.index(bot)
    numbers = [
        None if standings.nash is None else getattr(standings.nash, name)[at] for name in names
    ]
    shown = [None if number is None else finite_number(float(number)) for number in numbers]
    return dict(zip(("mbb_per_hand", "low", "high", "share"), shown, strict=True))


def _shares(row: NDArray[np.float64]) -> list[float | None] | None:
    """Return shares of resamples; None where none of them is known."""
    shares = [share_or_none(share) for share in row]
    return None if all(share is None for share in shares) else shares


def _opponents(labels: list[str]) -> dict[str, Any]:
    return {"opponent": labels[0]} if len(labels) == 1 else {"opponents": labels}


def _pairing(standings: Standings, pairing: PairingStanding) -> dict[str, Any]:
    winner = None if pairing.winner is None else standings.bots[pairing.winner].label
    return {
        "name": pairing.name,
        "bot": standings.bots[pairing.bot].label,
        **_opponents([standings.bots[opponent].label for opponent in pairing.opponents]),
        "stage": pairing.stage,
        "hands": pairing.hands,
        "legs": pairing.legs,
        "winner": winner,
        "forfeited_legs": list(pairing.forfeits),
        "p_value_two_sided_adjusted": pairing.p_value,
        "decided": pairing.decided,
        "win_rates": estimates_document(pairing.estimates),
        **({"aivat": dict(pairing.aivat)} if pairing.aivat else {}),
    }


_STYLE: Final = """
:root { color-scheme: light dark; --ground: light-dark(#ffffff, #0d1117);
  --line: light-dark(#d5dbe3, #2b3541); --text: light-dark(#18202a, #e8edf3);
  --soft: light-dark(#566273, #9aa8b8); --accent: light-dark(#0a63bd, #6cb6ff); }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
a { color: var(--accent); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
:is(th, td).text { text-align: left; }
thead th { color: var(--soft); font-size: 13px; }
:is(th, td).bot { position: sticky; left: 0; background: var(--ground); }
.wide { overflow-x: auto; margin: 1rem 0; }
.notes { color: var(--soft); }
summary { cursor: pointer; }
"""
_LINK_TEXTS: Final = {
    "standings.txt": "text",
    "ranking.csv": "ranking (CSV)",
    "standings.csv": "pairings (CSV)",
    "standings.json": "all (JSON)",
    "crosstable.svg": "picture",
}


def standing_page(tournament: Manifest, standings: Standings, document: str) -> str:
    """Return the page."""
    least = "at least " if standings.legs_planned > tournament.leg_count else ""
    title = f"Standings: {headline(tournament, standings)}"
    bots = [
        [bot.label, " ".join(bot.words) or "connects by itself", bot.kind.value]
        for bot in tournament.bots
    ]
    note_lines = [*notes(tournament, standings), *earlier_lines(tournament.bots)]
    carried = document.replace("<", "\\u003c")
    files = ", ".join(f'<a href="{name}">{what}</a>' for name, what in _LINK_TEXTS.items())
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body>",
        "<h1>Standings</h1>",
        f"<p>{html.escape(headline(tournament, standings))}; {least}{tournament.runs:,} x "
        f"{standings.players} legs of {tournament.hands:,} hands a pairing, all with the same "
        "deals.</p>",
        *_bracket(standings),
        _table("Ranking", ranking_rows(standings), texts=[1]),
        _scrolled("Crosstable", crosstable_svg(standings)),
        '<p class="notes">' + "<br>".join(map(html.escape, note_lines)) + "</p>",
        *(f"<p>{html.escape(line)}</p>" for line in challenger_lines(standings.gaps) if line),
        *_rank_shares(standings),
        *_pairings(standings),
        "<h2>Bots</h2>",
        _table("Bots", [["label", "started as", "kind"], *bots], texts=[0, 1, 2]),
        f"<p>Files beside this one: {files}. <code>arena web</code> with this folder shows every "
        "hand.</p>",
        f'<script type="application/json" id="standings">{carried}</script>',
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _bracket(standings: Standings) -> list[str]:
    """Return who won a knockout and each pairing's result; nothing of other tournaments."""
    if not standings.knockout:
        return []
    rows = bracket_rows(standings)
    return [
        f"<p>{html.escape(winner_line(standings))}</p>",
        _table("Rounds", rows, texts=[1, 2, 3]),
    ]


def _rank_shares(standings: Standings) -> list[str]:
    """Return how often each bot has each rank, as a table; nothing where that is not known."""
    sure = standings.bootstrap
    if sure is None:
        return []
    ranks = range(1, len(standings.bots) + 1)
    rows = [["", "bot", *map(str, ranks)]]
    for bot in standings.ranked():
        shares = sure.bankroll_ranks[standings.bots.index(bot)]
        rows.append(
            [rank_text(standings, bot), bot.label]
            + [percent(share_or_none(share)) if share else UNKNOWN for share in shares]
        )
    title = "Share of resamples in which a bot has a rank"
    return [f"<h2>{title}</h2>", _table(title, rows, texts=[1])]


def _pairings(standings: Standings) -> list[str]:
    """Return a list of the pairings, each with a link to the folder of its logs."""
    cells = cells_of(standings)
    rows = [["pairing", "mbb/h of the first, 95 %", "hands", "legs"]]
    links = []
    for pairing in standings.pairings:
        label, *opponents = (standings.bots[bot].label for bot in (pairing.bot, *pairing.opponents))
        won = (
            cells.get((pairing.bot, pairing.opponents[0]), UNKNOWN)
            if len(opponents) == 1
            else UNKNOWN
        )
        rows.append(
            [
                f"{label} against {', '.join(opponents)}",
                won,
                f"{pairing.hands:,}",
                f"{pairing.legs:,}",
            ]
        )
        links.append(f"{PAIRINGS_NAME}/{quote(pairing.name)}/")
    return [
        f"<details><summary>Pairings and their logs ({len(links):,})</summary>",
        _table("Pairings", rows, texts=[0], links=links),
        "</details>",
    ]


def _scrolled(label: str, content: str) -> str:
    """Return something that may be wider than the page, to be scrolled by finger and keys."""
    region = f'class="wide" role="region" tabindex="0" aria-label="{label}"'
    return f"<div {region}>\n{content}\n</div>"


def _table(
    label: str, rows: Sequence[Sequence[str]], texts: Sequence[int], links: Sequence[str] = ()
) -> str:
    """Return rows of cells as a table.

    Args:
        label: of the table.
        rows: the first one has the titles.
        texts: columns of words; the first of them stays in sight.
        links: where the first such cell of each row leads.
    """
    classes = dict.fromkeys(texts, ' class="text"') | {texts[0]: ' class="text bot"'}
    lines = []
    for number, row in enumerate(rows):
        cells = [html.escape(cell) for cell in row]
        if number and links:
            target = html.escape(links[number - 1])
            cells[texts[0]] = f'<a href="{target}">{cells[texts[0]]}</a>'
        kind = "td" if number else "th"
        joined = "".join(
            f"<{kind}{classes.get(at, '')}>{cell}</{kind}>" for at, cell in enumerate(cells)
        )
        lines.append(f"<tr>{joined}</tr>")
    head, *body = lines
    inside = "\n".join([f"<thead>{head}</thead>", "<tbody>", *body, "</tbody>"])
    return _scrolled(label, f"<table>\n{inside}\n</table>")


_MOST_BOTS_WITH_INTERVALS: Final = 14
_STRENGTHS: Final = 5
_FAINTEST_COLOUR_MBB: Final = 10.0
"""Each stronger colour stands for four times as much."""
_TEN_THOUSAND: Final = 9950.0


@dataclass(frozen=True, slots=True)
class _Look:
    """How cells look; lengths in pixels."""

    width: int
    height: int
    character: float
    """Room for a letter of a label."""
    size: int
    """Of the numbers in cells."""
    note: str


_LARGE: Final = _Look(104, 30, 7.5, 11, "mbb/h with 95 % intervals; *: significant at 5 % (Holm)")
_SMALL: Final = _Look(34, 19, 6.6, 9, "mbb/h; bold: significant at 5 % (Holm); k: thousands")


def crosstable_svg(standings: Standings) -> str:
    """Return the picture; rows and columns from the best bot to the last."""
    won = {(cell.bot, cell.opponent): cell.mbb_per_hand for cell in standings.cells}
    won |= {(opponent, bot): -mbb for (bot, opponent), mbb in won.items()}
    large = len(standings.bots) <= _MOST_BOTS_WITH_INTERVALS
    look = _LARGE if large else _SMALL
    texts = cells_of(standings) if large else {pair: _thousands(mbb) for pair, mbb in won.items()}
    sure = (
        set()
        if large
        else {frozenset((cell.bot, cell.opponent)) for cell in standings.cells if cell.decided}
    )
    if large:
        longest = max(map(len, texts.values()), default=0)
        look = replace(look, width=max(look.width, round(12 + 6.4 * longest)))
    order = [standings.bots.index(bot) for bot in standings.ranked()]
    labels = [bot.label for bot in standings.bots]
    row_label_width = 20 + look.character * max(map(len, labels))
    first = 84 if large else 56 + row_label_width
    svg = new_picture(
        row_label_width + look.width * len(order) + 20,
        first + look.height * len(order) + 20,
        "Crosstable",
        _style(look.size),
    )
    add_text(svg, 10, 26, "What the row's bot won from the column's", "ink", size=16)
    add_text(svg, 10, 46, look.note, "faint")
    paths: dict[str, list[str]] = {}
    for row, bot in enumerate(order):
        top = first + look.height * row
        base = top + look.height / 2 + 4
        add_text(svg, row_label_width - 8, base, labels[bot], "ink", anchor="end")
        _column_label(svg, row_label_width + look.width * (row + 0.5), first - 8, labels[bot], look)
        cells = ET.SubElement(svg, "text", {"class": "ink cell", "y": f"{base:.1f}"})
        for column, opponent in enumerate(order):
            x = row_label_width + look.width * column
            if large or (bot, opponent) in won:
                across, down = look.width - 2, look.height - 2
                paths.setdefault(_class(won.get((bot, opponent))), []).append(
                    f"M{x + 1:.0f} {top + 1:.0f}h{across}v{down}h{-across}z"
                )
            if text := texts.get((bot, opponent)):
                cell = ET.SubElement(cells, "tspan", {"x": f"{x + look.width / 2:.0f}"})
                cell.text = text.strip()
                if frozenset((bot, opponent)) in sure:
                    cell.set("class", "sure")
    for at, name in enumerate(sorted(paths)):
        svg.insert(3 + at, ET.Element("path", {"class": name, "d": "".join(paths[name])}))
    return svg_text(svg)


def _style(size: int) -> str:
    colours = {"win": "#1a9641", "loss": "#d7191c"}
    lines = [
        f".{name}{at} {{ fill: {colour}; fill-opacity: {0.12 + 0.15 * at:.2f}; }}"
        for name, colour in colours.items()
        for at in range(_STRENGTHS)
    ]
    lines.append(".none { fill: #888888; fill-opacity: 0.08; }")
    lines.append(f".cell {{ font-size: {size}px; text-anchor: middle; }}")
    return "\n".join([*lines, ".sure { font-weight: bold; }"])


def _column_label(svg: ET.Element, x: float, y: float, label: str, look: _Look) -> None:
    """Write a label above its column: shortened where that is wide, else turned."""
    if look.size == _LARGE.size:
        most = int(look.width / look.character)
        short = label if len(label) <= most else label[: most - 1] + "…"
        add_text(svg, x, y, short, "ink", anchor="middle")
    else:
        turned = add_text(svg, x + 4, y, label, "ink")
        turned.set("transform", f"rotate(-90 {x + 4:.1f} {y:.1f})")


def _class(won: float | None) -> str:
    if won is None or abs(won) < _FAINTEST_COLOUR_MBB:
        return "none"
    strength = min(int(math.log(abs(won) / _FAINTEST_COLOUR_MBB, 4)), _STRENGTHS - 1)
    return f"{'win' if won > 0 else 'loss'}{strength}"


def _thousands(mbb: float) -> str:
    """Return a win rate in at most five characters: -985, 1.2k, -12k."""
    if abs(mbb) < 999.5:
        return str(round(mbb))
    return f"{mbb / 1000:.0f}k" if abs(mbb) >= _TEN_THOUSAND else f"{mbb / 1000:.1f}k"
