"""How far a model is from an equilibrium: exactly in Leduc hold'em, by local best response else."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from agents.blueprint.model import BlueprintModel
from agents.blueprint.policy import BlueprintPolicy
from engine.console.quantities import interval
from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_match import measure
from engine.evaluation.lbr_result import result_of
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.small_games.abstract_profile import abstract_profile
from engine.small_games.best_response import exploitability
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from protocol.gamedefs import load_builtin

_CHECKING_OR_FOLDING: Final = "FC,FC,FC,FC"
_SEED: Final = 1


class Exploitability(NamedTuple):
    """What somebody who knows the strategy wins from it."""

    text: str
    """For people."""
    facts: dict[str, Any]
    """For a file: mbb/h with its interval, or exactly."""


def leduc_exploitability(model: BlueprintModel) -> float:
    """Return what best responses win from a Leduc model, mbb/h, exactly.

    Raises:
        ValueError: the model is of another game.
    """
    if model.tree.game != load_builtin("leduc"):
        raise ValueError("want a model of Leduc hold'em")
    form = sequence_form(leduc())
    profile = abstract_profile(form.tree, model.tree, model.cards, model.strategy)
    return 1000 * exploitability(form, profile) / model.tree.game.big_blind


def estimate(model: BlueprintModel, pairs: int) -> Exploitability:
    """Return a quick estimate for the progress of a training run.

    In hold'em a local best response that only checks, calls and folds, always with the same deals:
    a lower bound, noisy in itself, of which the changes from one checkpoint to the next tell more.

    Args:
        model: what is measured.
        pairs: of hands; 0 for none, but Leduc hold'em, where it is exact.
    """
    if model.tree.game == load_builtin("leduc"):
        exact = leduc_exploitability(model)
        return Exploitability(f"exploitability {exact:.3f} mbb/h", {"exploitability": exact})
    if not pairs:
        return Exploitability("", {})
    responder = LocalBestResponse(
        BlueprintPolicy(model), model.tree.game, parse_lbr_settings(_CHECKING_OR_FOLDING)
    )
    rate = result_of(measure(responder, pairs, _SEED)).rate
    return Exploitability(
        f"LBR (fold, call) {interval(rate.mbb_per_hand, rate.ci95, 0)} mbb/h",
        {"lbr_fc": rate.mbb_per_hand, "lbr_fc_ci95": rate.ci95, "lbr_fc_pairs": pairs},
    )
