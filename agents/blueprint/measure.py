"""How far a model is from an equilibrium: exactly in Leduc hold'em, by what is won from it else."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

from agents.blueprint_model.model import BlueprintModel
from agents.blueprint_model.policy import BlueprintPolicy
from engine.abstraction.buckets import CardAbstraction
from engine.console.quantities import interval
from engine.evaluation.attacks import AttackResult, Bench, Ways
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.small_games.abstract_profile import abstract_profile
from engine.small_games.best_response import exploitability
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.storage.documents import json_document
from protocol.gamedefs import load_builtin

CHECKING_OR_FOLDING: Final = parse_lbr_settings("FC,FC,FC,FC")
_SEED: Final = 1
_WON: Final = "won"
_EXACT: Final = "exploitability"


class Measures(NamedTuple):
    """What is measured at each checkpoint, always on the same deals and boards."""

    ways: Ways
    pairs: int
    """Of hands, for each setting of local best response; 0: none."""
    boards: int
    """For each script."""


class Exploitability(NamedTuple):
    """What is won from the strategy."""

    text: str
    """For people."""
    facts: dict[str, Any]
    """For a file: mbb/h with their intervals, or exactly."""

    @property
    def worst(self) -> float | None:
        """What the best way wins, mbb/h; None where nothing was measured."""
        return _worst(self.facts)


class Earlier(NamedTuple):
    """A checkpoint's measurements, as a file holds them."""

    worst: float
    """What the best way won, mbb/h."""
    iterations: int


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


def estimate(model: BlueprintModel, measures: Measures) -> Exploitability:
    """Return a quick estimate for the progress of a training run.

    In hold'em it is what some ways of playing win, on the same deals and boards each time. These
    are noisy lower bounds, more telling in their changes between checkpoints. Leduc hold'em is
    measured exactly, whatever `measures` asks for; games of other cards are not measured.
    """
    if model.tree.game == load_builtin("leduc"):
        exact = leduc_exploitability(model)
        return Exploitability(f"exploitability {exact:.3f} mbb/h", {_EXACT: exact})
    if not isinstance(model.cards, CardAbstraction):
        return Exploitability("", {})
    settings = measures.ways.settings if measures.pairs else ()
    results: list[AttackResult] = []
    if settings or measures.ways.scripts:
        bench = Bench(BlueprintPolicy(model), model.tree.game, _SEED, 1, said=lambda text: None)
        ways = Ways(settings, measures.ways.scripts)
        bench.measure(ways, range(measures.pairs), range(measures.boards), results)
    if not results:
        return Exploitability("", {})
    shown = ", ".join(
        f"{won.name} {interval(won.rate.mbb_per_hand, won.rate.ci95, 0)}" for won in results
    )
    return Exploitability(f"lost to {shown} mbb/h", {_WON: [_facts(won) for won in results]})


def earlier(path: Path, like: Exploitability, *, lines: bool) -> list[Earlier]:
    """Return the earlier checkpoints of a run's files at which the same was measured, in order.

    Damaged or unreadable files are left out: that must not stop the training.

    Args:
        lines: whether each line is of a checkpoint, not all of the file of one.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    checkpoints = []
    for part in text.splitlines() if lines else [text]:
        try:
            facts = json_document(part)
            worst = _worst(facts) if _measured(facts) == _measured(like.facts) else None
            if worst is not None and isfinite(worst):
                checkpoints.append(Earlier(worst, int(facts["iterations"])))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            continue
    return checkpoints


def _facts(won: AttackResult) -> dict[str, Any]:
    return {
        "way": won.name,
        "mbb_per_hand": won.rate.mbb_per_hand,
        "ci95": won.rate.ci95 if won.rate.samples > 1 else None,
        "samples": won.rate.samples,
    }


def _measured(facts: dict[str, Any]) -> list[Any]:
    """Return what was measured at a checkpoint, without the results."""
    exact = [_EXACT] if _EXACT in facts else []
    return exact + [(way["way"], way["samples"]) for way in facts.get(_WON, ())]


def _worst(facts: dict[str, Any]) -> float | None:
    if _EXACT in facts:
        return float(facts[_EXACT])
    return max((float(way["mbb_per_hand"]) for way in facts.get(_WON, ())), default=None)
