"""What responses to an opponent that was seen win from it, and what can be won from them.

    make study NAME="restrained"
    make study NAME="restrained LOG --opponent rule"
    make study NAME="restrained LOG --opponent O2 --game hunl"

Without logs the game is Leduc hold'em, and the opponent plays any action every other time, else as
an equilibrium does; both numbers are exact.  A minute.

With logs it is hold'em in buckets, limit or no-limit.  What is won from the opponent is played, on
the same deals for all.  What can be won from a response is what a best response to it wins that was
learned in the same buckets, by `agents.blueprint.versus` on boards: a lower bound.  Some minutes of
a core for each trust; the work folder has what was learned.

Source of the method: Johanson, Bowling, "Data biased robust counter strategies", AISTATS 2009.
"""

from __future__ import annotations

import shutil
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.blueprint.opponent import Wanted
from agents.blueprint.training import CARDS, TrainingRun
from agents.blueprint.versus import Versus
from agents.blueprint_model.config import load_config
from agents.blueprint_model.interpretation import Interpreter
from agents.blueprint_model.model import BlueprintModel, load_model, tree_of
from agents.blueprint_model.models import shipped_model
from agents.training.logs import find_logs
from agents.training.run_folder import CHECKPOINT
from engine.abstraction.lossless import LosslessAbstraction
from engine.betting.betting_tree import DEAL
from engine.betting.info_sets import build_info_sets
from engine.console.arguments import count, whole_number
from engine.console.output import tell
from engine.estimates.winrate import win_rate
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.restraint import Restraint
from engine.small_games.abstract_profile import abstract_profile
from engine.small_games.best_response import exploitability
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tree_values import node_values
from protocol.gamedefs import load_builtin
from tests.studies.duels import Duel, play_duel
from tests.studies.frame import finite
from tests.studies.pool import samples_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.betting.info_sets import InfoSets
    from engine.estimates.winrate import WinRate
    from engine.small_games.sequence_form import SequenceForm
    from protocol.gamedef import GameDef

TRUSTS: Final = (0.0, 0.5, 0.9, 1.0)
DOUBT: Final = 10.0
LEDUC_TRUSTS: Final = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
LEDUC_HANDS: Final = (100, 1000, 10_000, 100_000)
LEDUC_ITERATIONS: Final = 1_000_000
SMALL: Final = {"iterations": 200, "hands": 100, "trusts": [0.0, 1.0]}
LIMIT: Final = "hulhe"
CONFIGS: Final = {
    LIMIT: "limit-30",
    "hunl": str(Path(__file__).with_name("restrained_nolimit.toml")),
}
"""Of the abstract games."""
BLUEPRINT: Final = "blueprint"
_MILLI: Final = 1000


def add_options(parser: ArgumentParser) -> None:
    """Add the logs, and how much is learned and played."""
    add = parser.add_argument
    add("logs", metavar="LOG", nargs="*", type=Path, help="match logs of hold'em")
    add("--opponent", metavar="NAME", default="rule", help="a shipped bot in them (%(default)s)")
    add("--game", choices=tuple(CONFIGS), default=LIMIT, help="of the logs (%(default)s)")
    add("--trusts", metavar="X", nargs="+", type=float, help="(0, 0.5, 0.9, 1)")
    add("--iterations", metavar="N", type=count, default=3_000_000, help="(%(default)s)")
    add("--hands", metavar="N", type=count, help="of Leduc that are seen (100 to 100 000)")
    add("--deals", metavar="N", type=count, default=10_000, help="played (%(default)s)")
    add("--boards", metavar="N", type=count, default=60, help="(%(default)s)")
    add("--workers", metavar="N", type=whole_number(1, 64), default=1, help="(%(default)s)")


def result_name(options: Namespace) -> str:
    """Return the file of the opponent, or of Leduc hold'em."""
    if not options.logs:
        return "restrained-leduc.json"
    game = "" if options.game == LIMIT else f"{options.game}-"
    return f"restrained-{game}{options.opponent}.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return the curve: what is won from the opponent, and what can be won, by trust."""
    if options.logs:
        return holdem_curve(options)
    iterations = min(options.iterations, LEDUC_ITERATIONS)
    hands = (options.hands,) if options.hands else LEDUC_HANDS
    return leduc_curve(hands, options.trusts or LEDUC_TRUSTS, iterations)


# Leduc hold'em, exactly.


def leduc_curve(hands: Any, trusts: Any, iterations: int) -> dict[str, Any]:
    """Return the curve for so many hands that were seen, in mbb/h, a big blind being the ante."""
    model = load_model(shipped_model(load_builtin("leduc")))
    cards = LosslessAbstraction(model.tree.game)
    info_sets = build_info_sets(model.tree, cards.counts)
    form = sequence_form(leduc())

    def weak(node: int) -> NDArray[np.float32]:
        rows = model.strategy(node)
        mixed: NDArray[np.float32] = (rows / 2 + 0.5 / rows.shape[1]).astype(np.float32)
        return mixed

    theirs = abstract_profile(form.tree, model.tree, cards, weak)
    rows = []
    for seen in hands:
        counts = _watched(info_sets, cards, weak, model.strategy, seen)
        for trust in trusts:
            restraint = Restraint.of_counts(info_sets, counts, trust, DOUBT)
            generator = np.random.default_rng(1)
            solver = Mccfr(info_sets, cards, generator, restraint=restraint)
            solver.run(iterations)
            mine = abstract_profile(form.tree, model.tree, cards, solver.average)
            rows.append(
                {
                    "hands": seen,
                    "trust": trust,
                    "wins": _MILLI * _won(form, mine, theirs),
                    "loses_at_most": _MILLI * exploitability(form, mine),
                }
            )
    return {
        "game": "leduc",
        "doubt": DOUBT,
        "iterations": iterations,
        "opponent_loses_at_most": _MILLI * exploitability(form, theirs),
        "curve": rows,
    }


def _watched(
    info_sets: InfoSets,
    cards: LosslessAbstraction,
    weak: Callable[[int], NDArray[np.float32]],
    other: Callable[[int], NDArray[np.float32]],
    hands: int,
) -> NDArray[np.float32]:
    """Return what the weak player did in some hands, each position in turn."""
    tree, rng = info_sets.tree, np.random.default_rng(7)
    strategies = [
        {node: strategy(node) for node in tree.decisions.tolist()} for strategy in (weak, other)
    ]
    counts = np.zeros(info_sets.cells, np.float32)
    for hand in range(hands):
        seat, deal = hand % 2, rng.permutation(tree.game.deck).tolist()
        node = 0
        while tree.child_count[node]:
            action, player = 0, int(tree.kind[node])
            if player < DEAL:
                board = deal[2:3] if tree.street[node] else []
                bucket = cards.bucket([deal[player]], board)
                shares = strategies[player != seat][node][bucket]
                action = int(rng.choice(len(shares), p=shares / shares.sum()))
                if player == seat and info_sets.offset[node] >= 0:
                    counts[info_sets.cell(node, bucket) + action] += 1
            node = int(tree.first_child[node]) + action
    return counts


def _won(form: SequenceForm, mine: NDArray[np.float64], theirs: NDArray[np.float64]) -> float:
    """Return what one profile wins from another, chips a hand, the mean of both seats."""
    tree, total = form.tree, 0.0
    for seat, sign in ((0, 1), (1, -1)):
        profile = theirs.copy()
        profile[form.actions(seat)] = mine[form.actions(seat)]
        total += sign * float(node_values(tree, profile)[0])
    return total / 2


# Hold'em, in buckets.


def holdem_curve(options: Namespace) -> dict[str, Any]:
    """Return the curve against a bot of logs, in mbb/h."""
    rows: list[dict[str, Any]] = []
    facts: dict[str, Any] = {}
    game = load_builtin(options.game)
    for trust in options.trusts or TRUSTS:
        model, seen = _response(options, trust)
        facts |= seen
        best = _best_response(options, model, trust)
        won = _played(f"restrained --model {model}", options)
        lost = _on_boards(best, model, options.boards, game)
        rows.append(
            {
                "trust": trust,
                **_wins(won),
                "loses_at_least": lost.mbb_per_hand,
                "loses_ci95": finite(lost.ci95),
            }
        )
        tell(f"trust {trust:g}: {rows[-1]}")
    return {
        "game": options.game,
        "doubt": DOUBT,
        "config": Path(CONFIGS[options.game]).stem,
        "iterations": options.iterations,
        "deals": options.deals,
        "boards": options.boards,
        "opponent": options.opponent,
        **facts,
        "blueprint": _wins(_played(BLUEPRINT, options)),
        "curve": rows,
    }


def _played(agent: str, options: Namespace) -> WinRate:
    """Return what an agent wins from the opponent, on the same deals as any."""
    game = load_builtin(options.game)
    duel = Duel(agent, options.opponent, options.deals, 1, game=options.game)
    return win_rate(samples_of(play_duel(game, duel), 1), game.big_blind, hands_per_sample=2)


def _wins(rate: WinRate) -> dict[str, float | None]:
    return {"wins": rate.mbb_per_hand, "wins_ci95": finite(rate.ci95)}


def _response(options: Namespace, trust: float) -> tuple[Path, dict[str, Any]]:
    """Return the model of a response, learned unless it is there, and what it was learned from."""
    folder: Path = options.work / f"{options.opponent}-{trust:g}"
    _share_cards(options.work, folder)
    if (folder / CHECKPOINT).exists():
        run = TrainingRun.resume(folder, workers=options.workers)
    else:
        logs = tuple(find_logs(options.logs))
        wanted = Wanted(logs, options.opponent, trust, DOUBT, load_builtin(options.game))
        config = load_config(CONFIGS[options.game])
        run = TrainingRun.begin(folder, config, workers=options.workers, wanted=wanted)
    shutil.copyfile(folder / CARDS, options.work / CARDS)
    if run.solver.iterations < options.iterations:
        run.learn(1e9, most_iterations=options.iterations)
        run.checkpoint()
    assert run.opponent is not None
    seen = {name: run.opponent.facts[name] for name in ("hands", "decisions")}
    return folder / "model.blueprint", seen


def _best_response(options: Namespace, path: Path, trust: float) -> Path:
    """Return the model of a best response to a model, learned unless it is there."""
    out: Path = options.work / f"best-{options.opponent}-{trust:g}.blueprint"
    if not out.exists():
        run = TrainingRun.resume(path.parent, workers=options.workers)
        model = load_model(path)
        restraint = Restraint.of_strategy(run.info_sets, model.strategy)
        settings = run.config.training.settings(options.workers)
        generator = np.random.default_rng(2)
        solver = Mccfr(run.info_sets, run.cards, generator, settings, restraint=restraint)
        solver.run(options.iterations)
        tree = tree_of(run.config)
        BlueprintModel.of_averages(run.config, tree, run.cards, solver.average, {}).save(out)
    return out


def _share_cards(work: Path, folder: Path) -> None:
    """Give a new run the buckets of one before."""
    folder.mkdir(parents=True, exist_ok=True)
    if (work / CARDS).exists() and not (folder / CARDS).exists():
        shutil.copyfile(work / CARDS, folder / CARDS)


def _on_boards(one: Path, other: Path, boards: int, game: GameDef) -> WinRate:
    """Return the win rate of a model against another."""
    match = Versus(Interpreter(load_model(one)), Interpreter(load_model(other)))
    rng = np.random.default_rng(3)
    won = [match.value(rng.permutation(game.deck)[:5].tolist()) for _ in range(boards)]
    return win_rate(np.array(won), game.big_blind)
