"""The options of the modeller."""

from __future__ import annotations

from dataclasses import dataclass

from agents.options import SWITCH, BotOptions, any_whole, option, switch


@dataclass(frozen=True, slots=True)
class StatisticalOptions(BotOptions):
    """What can be chosen of the modeller; None: as the bot, or the preset, has it.

    All but the files and the preset are settings of `agents.statistical.variants`.
    """

    tolerance: float = option(0.05, "strengths so close count as equal")
    modelling: float = option(1.0, "0: plays its tables for ever", SWITCH, check=switch)
    mirrored: float = option(1.0, "0: calls lower no strong hands", SWITCH, check=switch)
    types: float = option(1.0, "0: plays alike against all types of players", SWITCH, check=switch)
    confidence: float | None = option(
        None, "how sure before it exploits, 0 to less than 1 (0.5; preset patent: 0)"
    )
    predictor: str | None = option(
        None,
        "counters (the default), ann or tree for the network or decision tree that comes along, or "
        "the file of another, as `arena train statistical` writes it: runs/statistical/ann.model",
        "NAME|FILE",
    )
    preflop: str | None = option(
        None, "measure of hands before the flop: equity (the default), sklansky or chen", "NAME"
    )
    memory: str | None = option(
        None,
        "file in which it remembers opponents, such as met.opponents; made if it is not there",
    )
    opponent: str | None = option(None, "whom it meets, a name in that file", "NAME")
    preset: str | None = option(
        None,
        "patent: decides as the patent describes it; options beside it count for more",
        "NAME",
    )
    optimistic: float | None = option(None, "1: strength is EHS', not EHS", SWITCH, check=switch)
    absolute: float | None = option(
        None, "1: thresholds are strengths, not percentiles", SWITCH, check=switch
    )
    sharp: float | None = option(None, "1: an action is certain in its band", SWITCH, check=switch)
    initial: float | None = option(
        None, "1: before the flop only the strongest action counts", SWITCH, check=switch
    )
    by_street: float | None = option(
        None, "1: weights of each street start over", SWITCH, check=switch
    )
    learn_reading: float | None = option(
        None,
        "0: shown hands do not change how actions are interpreted",
        SWITCH,
        check=switch,
    )
    weights: str | None = option(
        None,
        "what says which hands an action is taken with: shown (the default) for the hands that "
        "were shown, curves of other players, sequences for their curves by all that was done, or "
        "tree for the leaves of the decision tree",
        "NAME",
    )
    plain: float | None = option(None, "1: the 36 counters alone", SWITCH, check=switch)
    generic: float | None = option(None, "1: 2:5:3 for everybody in phase 1", SWITCH, check=switch)
    opponent_bins: float | None = option(
        None, "1: phase 2 waits for shown hands of all strengths", SWITCH, check=switch
    )
    candidates: float | None = option(
        None, "1: compares with the hands of highest weight alone", SWITCH, check=switch
    )
    values: float | None = option(
        None, "0: raises, calls or folds by the comparison alone", SWITCH, check=switch
    )
    bin_samples: float | None = option(
        None, "so many samples a bin before phase 2 (3)", "N", check=any_whole
    )
