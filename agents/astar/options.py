"""The options of the ensemble of evolved counter-strategies."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import BotOptions, any_whole, one_of, option

WHOLE = "whole"
SURE = "sure"
EIGHT = "eight"
STREET = "street"
SIMILAR = "similar"
AVERAGE = "average"
BASE_STRATEGIES = ("base", "refuge")
VARIANT_NAMES = (WHOLE, SURE, EIGHT, STREET, SIMILAR, AVERAGE, *BASE_STRATEGIES)


@dataclass(frozen=True, slots=True)
class AstarOptions(BotOptions):
    """Which part of astar plays, and how it blends; None: as is usual for that part.

    Numbers are checked further by `agents.astar.ensemble.policy.Blending`.
    """

    variant: str = option(
        WHOLE,
        "whole; or a part: sure never falls back, eight knows O1 to O8 alone, street goes by the "
        "street as the article does, similar likewise without falling back, average plays all "
        "counters alike; base and refuge are base strategies alone",
        "NAME",
        check=one_of(*VARIANT_NAMES),
    )
    form: str | None = option(
        None,
        "of likeness: evidence, exponential or inverse (evidence)",
        "NAME",
    )
    sharpness: float | None = option(
        None, "scale of the distance; small: the likeliest counts (0.005)"
    )
    confidence: float | None = option(
        None,
        "actions seen, or by the street hands of a node, to be sure (10)",
        "N",
        check=any_whole,
    )
    half_life: float | None = option(
        None,
        "hands after which observations count half; 0: all count alike (250)",
        "HANDS",
        flag="--half-life",
    )
    carry: float | None = option(
        None,
        "decisions whose mean distance is used where the street says nothing; 0: none (0)",
        "N",
        check=any_whole,
    )
    doubt: float | None = option(
        None,
        "distance at which the base counts as another counter; 0: nowhere (0.05)",
    )
    patience: float | None = option(
        None,
        "standard errors by which counters may lose before the base plays; 0: any (1)",
    )
    prior: float | None = option(
        None,
        "nats by which a known opponent must beat doubt over all actions seen (4)",
        "NATS",
    )
    models: str | None = option(None, "networks and library, not those shipped", "DIR")
    library: str | None = option(
        None, "known, wide, or one of --models (wide, or the only one)", "NAME"
    )
