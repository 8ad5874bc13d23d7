"""Writes the tables of README and docs.

    python -m tests.documents.tables

A table stands between two lines, `<!-- table: NAME -->` and `<!-- end -->`; what is between them is
replaced by what `TABLES` makes under that name, from docs/data/*.json, from what `make bench` left
in tests/benchmarks/results, from the files beside the shipped models and from the packages
themselves.
"""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tests.documents import (
    blueprint,
    checks,
    cnn,
    deepstack,
    evolved,
    improving,
    learners,
    libratus,
    minimisers,
    modeller,
    rating,
    responses,
    rooms,
    sequential,
    sizes,
    speed,
    subgames,
    tournament,
    verdicts,
)
from tests.documents.cells import ROOT

MARKED: Final = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
TABLES: Final[dict[str, Callable[[], list[str]]]] = {
    "checks": checks.checks,
    "models": blueprint.models,
    "strengths": blueprint.strengths,
    "lbr": blueprint.lbr,
    "worst": blueprint.worst,
    "pruning": blueprint.pruning,
    "improve-raises": improving.raises,
    "improve": improving.winnings,
    "improve-longer": improving.longer,
    "deepstack-pilot": deepstack.pilot,
    "deepstack-turn-ends": partial(deepstack.street_ends, "turn"),
    "deepstack-flop-ends": partial(deepstack.street_ends, "flop"),
    "deepstack-preflop-ends": deepstack.preflop_ends,
    "deepstack-flops": deepstack.flops,
    "deepstack-raises": deepstack.raises,
    "deepstack-losses": deepstack.losses,
    "deepstack-turn-ends-curve": deepstack.turn_ends_curve,
    "learners-leduc": learners.leduc,
    "learners-long": learners.long,
    "learners-openspiel": learners.openspiel,
    "deepstack-leduc": deepstack.leduc,
    "libratus-match": libratus.match,
    "libratus-lbr": libratus.lbr,
    "libratus-lbr-all": libratus.lbr_all,
    "libratus-ways": libratus.ways,
    "libratus-flops": libratus.flops,
    "libratus-rivers": libratus.rivers,
    "libratus-field": libratus.field,
    "libratus-variants": libratus.variants,
    "libratus-partner": libratus.partner,
    "libratus-estimates": libratus.estimates,
    **{
        name: partial(subgames.techniques, name)
        for name in ("subgames-small", "subgames-large", "subgames-turn")
    },
    "sizes-menus": sizes.menus,
    "sizes-losses": sizes.losses,
    "sizes-river": sizes.river_losses,
    "nested": subgames.nested,
    "nested-trees": subgames.nested_trees,
    "nested-flops": subgames.nested_flops,
    "subgames-leduc": subgames.leduc,
    "libratus-turns": libratus.turns,
    "libratus-few": libratus.few,
    "libratus-drawn": libratus.drawn,
    "libratus-river-safety": libratus.river_safety,
    "depths": blueprint.depths,
    "modelling": modeller.modelling,
    "types": modeller.types,
    "predictors": modeller.predictors,
    "weights": modeller.weights,
    "ranges": modeller.ranges,
    "pool": modeller.pool,
    "minimisers-patent": partial(minimisers.games, "minimisers-patent"),
    "minimisers-subgames": partial(minimisers.games, "minimisers-subgames"),
    "minimisers-holdem": partial(minimisers.games, "minimisers-holdem"),
    "minimisers-holdem-patent": partial(minimisers.games, "minimisers-holdem-patent"),
    **{
        f"astar-{name}": partial(evolved.section, name)
        for name in ("ablation", "ancestor", "comparison", "strangers", "nfsp")
    },
    "astar-article": evolved.claims,
    "astar-article-part": evolved.article_part,
    "astar-resources": evolved.resources,
    "astar-parameters": evolved.parameters,
    "astar-seeds": evolved.seeds,
    "astar-costs": evolved.costs,
    "astar-prior": evolved.priors,
    "cnn-accuracy": partial(cnn.accuracy, "deepstack"),
    "cnn-comparison": cnn.comparison,
    "cnn-variants": cnn.variants,
    "cnn-networks": cnn.networks,
    "cnn-limit": cnn.limit,
    "cnn-search": cnn.search,
    "cnn-values": cnn.values,
    "restrained-leduc": responses.leduc,
    "restrained-hulhe": responses.limit,
    "restrained-hunl": responses.no_limit,
    "dealer-speed": speed.dealer_speed,
    "lane-speed": speed.lane_speed,
    "many-speed": speed.many_speed,
    "engine-speed": speed.engine_speed,
    "cnn-speed": speed.cnn_speed,
    "rate-aivat": rating.aivat,
    "sprt-errors": sequential.errors,
    "verdict-errors": verdicts.errors,
    "verdict-costs": verdicts.costs,
    "tournament-ranking": tournament.ranking,
    "holdem-ranking": tournament.holdem,
    "departures": modeller.departures,
    "rooms-protocol": partial(rooms.rooms, "protocol"),
    "rooms-engine": partial(rooms.rooms, "engine"),
    "rooms-dealer": partial(rooms.rooms, "dealer"),
    "rooms-agents": partial(rooms.rooms, "agents"),
}


def documents() -> list[Path]:
    """Return the README and the pages of docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def filled(text: str) -> str:
    """Return a page with its tables made anew.

    Raises:
        KeyError: a table is marked that nothing here makes.
    """
    return MARKED.sub(
        lambda mark: mark[1] + "\n".join(["", *TABLES[mark[2]](), "", ""]) + mark[3], text
    )


def main() -> None:
    """Write the pages whose tables have changed, and name them."""
    for page in documents():
        before = page.read_text(encoding="utf-8")
        if (after := filled(before)) != before:
            page.write_text(after, encoding="utf-8")
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
