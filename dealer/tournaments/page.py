"""The standings as one HTML page that needs nothing else: no script, no font, no other file."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

from dealer.bots.program_files import earlier_lines
from dealer.legs.manifest import Manifest
from dealer.tournaments.bracket import bracket_rows, winner_line
from dealer.tournaments.challengers import challenger_lines
from dealer.tournaments.crosstable_picture import crosstable_svg
from dealer.tournaments.standing import Standings, known
from dealer.tournaments.standing_text import headline, notes, ranking_rows
from engine.console.quantities import UNKNOWN, percent

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
th:nth-child(2), td:nth-child(2) { text-align: left; }
.wide { overflow-x: auto; }
.notes { color: #888; }
"""


def standing_page(tournament: Manifest, found: Standings, document: str) -> str:
    """Return the page."""
    title = f"Standings: {headline(tournament, found)}"
    bots = [
        [bot.label, " ".join(bot.words) or "connects by itself", bot.kind.value]
        for bot in tournament.bots
    ]
    told = [*notes(found), *earlier_lines(tournament.bots)]
    carried = document.replace("<", "\\u003c")
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body>",
        "<h1>Standings</h1>",
        f"<p>{html.escape(headline(tournament, found))}; {tournament.runs:,} x {found.players} "
        f"legs of {tournament.hands:,} hands a pairing, all with the same deals.</p>",
        *_bracket(found),
        _table(ranking_rows(found)),
        '<div class="wide">',
        crosstable_svg(found),
        "</div>",
        '<p class="notes">' + "<br>".join(map(html.escape, told)) + "</p>",
        *(f"<p>{html.escape(line)}</p>" for line in challenger_lines(found.gaps) if line),
        *_rank_shares(found),
        "<h2>Bots</h2>",
        _table([["label", "started as", "kind"], *bots]),
        f'<script type="application/json" id="standings">{carried}</script>',
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _bracket(found: Standings) -> list[str]:
    """Return who won a knockout and each pairing's result; nothing of other tournaments."""
    if not found.knockout:
        return []
    return [f"<p>{html.escape(winner_line(found))}</p>", _table(bracket_rows(found))]


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
            [str(bot.rank) if found.is_ranked(bot) else UNKNOWN, bot.label]
            + [percent(known(share)) if share else UNKNOWN for share in shares]
        )
    return [
        "<h2>Share of resamples in which a bot has a rank</h2>",
        f'<div class="wide">{_table(rows)}</div>',
    ]


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = ["<tr>" + "".join(f"<th>{html.escape(cell)}</th>" for cell in head) + "</tr>"]
    lines += [
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in body
    ]
    return "<table>\n" + "\n".join(lines) + "\n</table>"
