"""The files of the standings: text, CSV, JSON, a picture of the crosstable, and one HTML page."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dealer.bots.program_files import files_document
from dealer.legs.folder import STANDING_NAMES
from dealer.legs.manifest import Manifest
from dealer.ratings.documents import estimates_document, finite_number, guard_document
from dealer.tournaments.challengers import challengers_document
from dealer.tournaments.crosstable_picture import crosstable_svg
from dealer.tournaments.page import standing_page
from dealer.tournaments.standing import BotStanding, PairingStanding, Standings, known
from dealer.tournaments.standing_text import standing_text
from engine.estimates.estimators import name_in_sets
from engine.storage.atomic import write_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def publish_standings(
    folder: Path, tournament: Manifest, found: Standings, facts: dict[str, Any]
) -> None:
    """Write all files of the standings.

    Raises:
        OSError: a file cannot be written.
    """
    document = json.dumps(facts, indent=2, allow_nan=False) + "\n"
    contents = (
        standing_text(tournament, found),
        standing_csv(found),
        ranking_csv(found),
        document,
        standing_page(tournament, found, document),
        crosstable_svg(found),
    )
    for name, content in zip(STANDING_NAMES, contents, strict=True):
        write_whole(folder / name, content)


def standing_csv(found: Standings) -> str:
    """Return a line for each pairing, from its first bot's view; what is not known is empty.

    Of tables of more than two, a line for each bot; its opponents have bars between them.
    """
    titles = (
        *("bot", "opponent", "mbb_per_hand", "ci95", "samples", "hands", "decided"),
        *("estimator", "value_function", "strategies_known"),
    )
    rows = [
        (
            found.bots[pairing.one].label,
            "|".join(found.bots[other].label for other in pairing.others),
            f"{pairing.quoted.mbb_per_hand:.3f}" if pairing.quoted.samples else "",
            f"{pairing.ci95:.3f}" if math.isfinite(pairing.ci95) else "",
            pairing.quoted.samples,
            pairing.hands,
            int(pairing.decided),
            pairing.quoted_name,
            pairing.aivat.get("values", ""),
            "|".join(pairing.aivat.get("known", ())),
        )
        for pairing in found.pairings
    ]
    return _csv([titles, *rows])


def ranking_csv(found: Standings) -> str:
    """Return a line for each bot, the best one first; what is not known is empty."""
    titles = "rank,bot,mbb_per_hand,ci95,is_first,above_next,run_off_rank,hands,forfeited_legs,"
    titles += "wins,losses,nash_mbb_per_hand,nash_low,nash_high,nash_share,rank_best,rank_worst,"
    titles += "run_off_best,run_off_worst,nash_best,nash_worst,exploitable_by,exploitable_ci95"
    rows = [
        (
            bot.rank if found.is_ranked(bot) else "",
            bot.label,
            "" if bot.bankroll is None else f"{bot.bankroll:.3f}",
            "" if bot.bankroll is None or not math.isfinite(bot.ci95) else f"{bot.ci95:.3f}",
            "" if first is None else f"{first:.4f}",
            "" if above is None else f"{above:.4f}",
            bot.run_off_rank if found.is_ranked(bot) else "",
            bot.hands,
            bot.forfeits,
            bot.wins,
            bot.losses,
            *("" if number is None else f"{number:.4f}" for number in _nash(found, bot).values()),
            *(end for ends in found.places(bot).values() for end in ends or ("", "")),
            *_bound_cells(found, bot),
        )
        for bot, first, above in found.ranking()
    ]
    return _csv([titles.split(","), *rows])


def _bound_cells(found: Standings, bot: BotStanding) -> tuple[object, object]:
    bound = found.bounds.get(bot.label)
    return ("", "") if bound is None else (bound.mbb_per_hand, bound.ci95)


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def standing_facts(tournament: Manifest, found: Standings) -> dict[str, Any]:
    """Return the standings as plain values for JSON; numbers that are not known are None."""
    sure = found.bootstrap
    return {
        "digest": tournament.digest,
        "style": tournament.style_name,
        "game": {"file": tournament.game_name, "sha256": tournament.game_sha256},
        "seed": tournament.seed,
        "rounds": tournament.runs,
        "hands_per_leg": tournament.hands,
        "legs": found.legs,
        "legs_planned": found.legs_planned,
        "hands": found.hands,
        "rated_by": name_in_sets(found.estimator),
        "winner": None if found.winner is None else found.winner.label,
        "bots": [
            {
                "label": bot.label,
                "words": list(tournament.bots[at].words),
                "files": files_document(tournament.bots[at]),
                "rank": bot.rank if found.is_ranked(bot) else None,
                "run_off_rank": bot.run_off_rank if found.is_ranked(bot) else None,
                "bankroll_mbb_per_hand": bot.bankroll,
                "bankroll_ci95": finite_number(bot.ci95),
                "joined_after_legs": found.joined.get(bot.label, 0),
                "hands": bot.hands,
                "forfeited_legs": bot.forfeits,
                "wins": bot.wins,
                "losses": bot.losses,
                "nash": None if found.nash is None else _nash(found, bot),
                "places95": found.places(bot),
                "exploitable_by": asdict(found.bounds[bot.label])
                if bot.label in found.bounds
                else None,
                "above": None if sure is None else _shares(sure.above[at]),
                "rank_shares": None if sure is None else _shares(sure.bankroll_ranks[at]),
                "run_off_rank_shares": None if sure is None else _shares(sure.run_off_ranks[at]),
            }
            for at, bot in enumerate(found.bots)
        ],
        "cycles": [[found.bots[bot].label for bot in cycle] for cycle in found.cycles()],
        "challengers": challengers_document(found.gaps),
        "pairings": [_pairing(found, pairing) for pairing in found.pairings],
        "guard": guard_document(found.comparisons),
    }


def _nash(found: Standings, bot: BotStanding) -> dict[str, float | None]:
    """Return a bot's Nash average with its interval and share; None where it is not known."""
    names, at = ("ratings", "low", "high", "shares"), found.bots.index(bot)
    numbers = [None if found.nash is None else getattr(found.nash, name)[at] for name in names]
    known_ones = [None if one is None else finite_number(float(one)) for one in numbers]
    return dict(zip(("mbb_per_hand", "low", "high", "share"), known_ones, strict=True))


def _shares(row: NDArray[np.float64]) -> list[float | None] | None:
    """Return shares of resamples; None where none of them is known."""
    shares = [known(share) for share in row]
    return None if all(share is None for share in shares) else shares


def _opponents(labels: list[str]) -> dict[str, Any]:
    return {"opponent": labels[0]} if len(labels) == 1 else {"opponents": labels}


def _pairing(found: Standings, pairing: PairingStanding) -> dict[str, Any]:
    winner = None if pairing.winner is None else found.bots[pairing.winner].label
    return {
        "name": pairing.name,
        "bot": found.bots[pairing.one].label,
        **_opponents([found.bots[other].label for other in pairing.others]),
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
