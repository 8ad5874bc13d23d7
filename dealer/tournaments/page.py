"""The standings as one HTML page that needs nothing else: no script, no font, no other file."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from dealer.bots.program_files import earlier_lines
from dealer.legs.folder import PAIRINGS_NAME
from dealer.legs.manifest import Manifest
from dealer.tournaments.bracket import bracket_rows, winner_line
from dealer.tournaments.challengers import challenger_lines
from dealer.tournaments.crosstable_picture import crosstable_svg
from dealer.tournaments.standing import Standings, known
from dealer.tournaments.standing_text import (
    cells_of,
    headline,
    notes,
    rank_text,
    ranking_rows,
)
from engine.console.quantities import UNKNOWN, percent

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
_FILES: Final = {
    "standings.txt": "text",
    "ranking.csv": "ranking (CSV)",
    "standings.csv": "pairings (CSV)",
    "standings.json": "all (JSON)",
    "crosstable.svg": "picture",
}
"""Beside the page: name and what it is called there."""


def standing_page(tournament: Manifest, found: Standings, document: str) -> str:
    """Return the page."""
    least = "at least " if found.legs_planned > tournament.leg_count else ""
    title = f"Standings: {headline(tournament, found)}"
    bots = [
        [bot.label, " ".join(bot.words) or "connects by itself", bot.kind.value]
        for bot in tournament.bots
    ]
    told = [*notes(tournament, found), *earlier_lines(tournament.bots)]
    carried = document.replace("<", "\\u003c")
    files = ", ".join(f'<a href="{name}">{what}</a>' for name, what in _FILES.items())
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body>",
        "<h1>Standings</h1>",
        f"<p>{html.escape(headline(tournament, found))}; {least}{tournament.runs:,} x "
        f"{found.players} legs of {tournament.hands:,} hands a pairing, all with the same "
        "deals.</p>",
        *_bracket(found),
        _table("Ranking", ranking_rows(found), texts=[1]),
        _scrolled("Crosstable", crosstable_svg(found)),
        '<p class="notes">' + "<br>".join(map(html.escape, told)) + "</p>",
        *(f"<p>{html.escape(line)}</p>" for line in challenger_lines(found.gaps) if line),
        *_rank_shares(found),
        *_pairings(found),
        "<h2>Bots</h2>",
        _table("Bots", [["label", "started as", "kind"], *bots], texts=[0, 1, 2]),
        f"<p>Files beside this one: {files}. <code>arena web</code> with this folder shows every "
        "hand.</p>",
        f'<script type="application/json" id="standings">{carried}</script>',
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _bracket(found: Standings) -> list[str]:
    """Return who won a knockout and each pairing's result; nothing of other tournaments."""
    if not found.knockout:
        return []
    rows = bracket_rows(found)
    return [f"<p>{html.escape(winner_line(found))}</p>", _table("Rounds", rows, texts=[1, 2, 3])]


def _rank_shares(found: Standings) -> list[str]:
    """Return how often each bot has each rank, as a table; nothing where that is not known."""
    sure = found.bootstrap
    if sure is None:
        return []
    ranks = range(1, len(found.bots) + 1)
    rows = [["", "bot", *map(str, ranks)]]
    for bot in found.ranked():
        shares = sure.bankroll_ranks[found.bots.index(bot)]
        rows.append(
            [rank_text(found, bot), bot.label]
            + [percent(known(share)) if share else UNKNOWN for share in shares]
        )
    title = "Share of resamples in which a bot has a rank"
    return [f"<h2>{title}</h2>", _table(title, rows, texts=[1])]


def _pairings(found: Standings) -> list[str]:
    """Return a list of the pairings, each with a link to the folder of its logs."""
    cells = cells_of(found)
    rows = [["pairing", "mbb/h of the first, 95 %", "hands", "legs"]]
    links = []
    for pairing in found.pairings:
        one, *others = (found.bots[bot].label for bot in (pairing.one, *pairing.others))
        won = cells.get((pairing.one, pairing.others[0]), UNKNOWN) if len(others) == 1 else UNKNOWN
        rows.append(
            [f"{one} against {', '.join(others)}", won, f"{pairing.hands:,}", f"{pairing.legs:,}"]
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
