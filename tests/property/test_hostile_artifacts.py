"""Files with right checksums and wrong contents: refused in one line, or played by.

Every kind of artifact that an agent loads is changed in one place, signed again, loaded and played
with.  Nothing but ArtifactMismatch or AgentError may come of it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from agents.blueprint.bot import Blueprint
from agents.blueprint.training import RUN, TrainingRun
from agents.blueprint_model import model as blueprint
from agents.bot import Bot
from agents.equilibrium import model as equilibrium
from agents.equilibrium.bot import Equilibrium
from agents.equilibrium.equilibrium_run import CHECKPOINT as SOLVING
from agents.equilibrium.equilibrium_run import KIND as RUN_KIND
from agents.equilibrium.equilibrium_run import EquilibriumConfig, EquilibriumRun, Goal
from agents.equilibrium.solved_games import solved_file
from agents.errors import AgentError
from agents.learners import model as learned
from agents.learners.bot import LearnedBot
from agents.learners.shipped import learned_file
from agents.statistical.bot import Settings, Statistical
from agents.statistical.predicting import model_files
from agents.statistical.variants import VariantSettings, bot_with
from agents.training.run_folder import CHECKPOINT
from engine.cfr.adaptive import FAST_POOL, UcbRule
from engine.cfr.adaptive_choice import AdaptiveChoice
from engine.errors import ArtifactMismatch
from engine.mccfr import checkpoint
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.storage.artifacts import Artifact, Kind, load_artifact, save_artifact
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import leduc_run, random_model, tiny_config

REFUSED = (ArtifactMismatch, AgentError)
HOSTILE_FACTS = (
    None, True, False, -1, 0, 1, 2.5, 1e308, float("nan"), float("inf"), 10**400, "", "x", "kuhn3",
    [], {}, [[]], [None], ["a"], [[["a"]]], {"x": 1}, [0] * 9,
)  # fmt: skip


class Target(NamedTuple):
    """One kind of file, and what its reader does with it."""

    path: Path
    kind: Kind
    use: Callable[[Path], None]


def play(bot: Bot, game_name: str, hands: int) -> None:
    """Play some hands against itself: one bot answers for both."""
    game = load_builtin(game_name)
    bot.start_match(game, 1)
    rng = np.random.default_rng(1)
    for hand_id, deal in zip(range(hands), DealStream(game, 3), strict=False):
        state, position = HandState.start(game), hand_id % 2
        while not state.over:
            view = PlayerView.of(state, deal, position, hand_id)
            action = bot.act(view) if view.my_turn else None
            if action is None:
                other = PlayerView.of(state, deal, 1 - position, hand_id)
                size = other.pot_fraction(float(rng.uniform(0.3, 1.5)))
                action = other.raise_to(size) if rng.random() < 0.4 else other.call()
            state = state.apply(action)
        bot.end_hand(PlayerView.of(state, deal, position, hand_id))


def resume(path: Path) -> None:
    """Go on with the run that a checkpoint is of."""
    run = TrainingRun.resume(path.parent)
    run.solver.run(50)
    run.model()


def changed(found: Artifact, rng: np.random.Generator) -> Artifact:
    """Return facts and arrays that differ in one place."""
    facts, arrays = _copy(found.facts), dict(found.arrays)
    if rng.random() < 0.4 or not arrays:
        _change_fact(facts, rng)
    else:
        name = str(rng.choice(sorted(arrays)))
        if rng.random() < 0.1:
            array = arrays.pop(name)
            if rng.random() < 0.7:
                arrays[str(rng.choice([name + "x", "cards.verify", "cards.runouts"]))] = array
        else:
            arrays[name] = _other_array(np.array(arrays[name]), rng)
    return Artifact(facts, arrays)


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(one) for key, one in value.items()}
    return [_copy(one) for one in value] if isinstance(value, list) else value


def _change_fact(facts: dict[str, Any], rng: np.random.Generator) -> None:
    """Change, or leave out, one value anywhere in nested facts."""
    place: Any = facts
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = keys[int(rng.integers(len(keys)))]
        below = place[key]
        if isinstance(below, (dict, list)) and below and rng.random() < 0.7:
            place = below
            continue
        if rng.random() < 0.15:
            del place[key]
        else:
            place[key] = HOSTILE_FACTS[int(rng.integers(len(HOSTILE_FACTS)))]
        return


def _other_array(array: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return an array of other numbers, another shape or another dtype."""
    way = int(rng.integers(6))
    if way == 0:
        dtypes = ["uint8", "int8", "int32", "int64", "uint16", "float32", "float64", "bool"]
        with np.errstate(all="ignore"):
            return array.astype(str(rng.choice(dtypes)))
    if way == 1:
        return array[: len(array) // 2] if rng.random() < 0.5 else array[:0]
    if way == 2:
        shapes = (array[None], array.reshape(-1), np.concatenate([array, array]), array.sum())
        return np.array(shapes[int(rng.integers(4))], array.dtype)
    flat = array.reshape(-1).copy()
    if not flat.size:
        return np.ones(3, array.dtype)
    several = 1 if way == 3 else max(1, flat.size // 2)
    where = rng.integers(0, flat.size, several)
    if array.dtype.kind == "f":
        flat[where] = rng.choice([np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-40, -1, 0.5, 1e9])
    elif array.dtype.kind == "b":
        flat[where] = ~flat[where]
    else:
        limits = np.iinfo(array.dtype)
        flat[where] = rng.choice([limits.max, limits.min, limits.max // 2, 0, 1])
    return flat.reshape(array.shape)


@pytest.fixture(scope="module")
def targets(tmp_path_factory):
    """One file of each kind; the blueprints are small ones of the kinds that come along."""
    folder = tmp_path_factory.mktemp("artifacts")
    found = {}
    for game in ("hunl", "leduc"):
        path = folder / f"{game}.blueprint"
        random_model(tiny_config(game), seed=3).save(path)

        def use(path: Path, game: str = game) -> None:
            play(Blueprint(str(path)), game, 3)

        found[game] = Target(path, blueprint.KIND, use)

    def predict(path: Path) -> None:
        play(Statistical(Settings(predictor=str(path), confidence=0.0)), "hunl", 3)

    for name, kind in model_files.MODEL_CLASS_OF_KIND.items():
        use = predict if name in (model_files.ANN, model_files.TREE) else print
        found[name] = Target(model_files.MODELS / model_files.file_name(name), kind.KIND, use)
    run = leduc_run(folder / "run")
    run.solver.run(100)
    run.checkpoint()
    found["checkpoint"] = Target(folder / "run" / CHECKPOINT, checkpoint.KIND, resume)
    found["equilibrium"] = Target(solved_file("leduc"), equilibrium.KIND, play_an_equilibrium)
    found["learned"] = Target(learned_file("mmd", "leduc"), learned.KIND, play_what_was_learned)
    config = EquilibriumConfig("kuhn", load_builtin("kuhn"), AdaptiveChoice(FAST_POOL, UcbRule()))
    solving = EquilibriumRun(folder / "solving", config)
    solving.solve(Goal(iterations=20), print, lambda: False)
    solving.save()

    def go_on(path: Path) -> None:
        EquilibriumRun(path.parent, config, resume=True).solve(
            Goal(iterations=30), print, lambda: False
        )

    found["solving"] = Target(folder / "solving" / SOLVING, RUN_KIND, go_on)
    return found


def play_what_was_learned(path: Path) -> None:
    """Play some hands by a learned policy of Leduc hold'em."""
    play(LearnedBot("mmd", str(path)), "leduc", 30)


def play_an_equilibrium(path: Path) -> None:
    """Play some hands by a model of Leduc hold'em."""
    play(Equilibrium(str(path)), "leduc", 30)


def attack(target: Target, folder: Path, seed: int) -> bool:
    """Change a file, use it; return whether it was refused."""
    rng = np.random.default_rng(seed)
    hostile = changed(load_artifact(target.path, target.kind), rng)
    place = folder / target.path.name
    if target.kind is checkpoint.KIND:
        (folder / RUN).write_bytes((target.path.parent / RUN).read_bytes())
    save_artifact(place, target.kind, *hostile)
    try:
        target.use(place)
    except REFUSED as error:
        refusal = str(error)
    else:
        return False
    assert str(place.parent) in refusal
    assert "\n" not in refusal
    return True


NAMES = (
    "hunl", "leduc", "ann", "tree", "types", "curves", "sequences", "checkpoint", "equilibrium",
    "learned", "solving",
)  # fmt: skip
USED = ("types", "curves", "sequences")


def load_and_use(monkeypatch, name: str, path: Path) -> None:
    """Play with a model that takes the place of the one that comes along."""
    monkeypatch.setattr(model_files, "MODELS", path.parent)
    for other in USED:
        if other != name:
            shipped = Path(model_files.__file__).parents[1] / "models" / f"{other}.model"
            (path.parent / f"{other}.model").write_bytes(shipped.read_bytes())
    settings = VariantSettings(
        confidence=0.0, weights="sequences" if name == "sequences" else "shown"
    )
    play(bot_with(settings), "hunl", 3)


def run_attacks(name, targets, tmp_path, monkeypatch, seeds):
    target = targets[name]
    if name in USED:
        target = target._replace(use=lambda path: load_and_use(monkeypatch, name, path))
    with np.errstate(all="ignore"):
        return sum(attack(target, tmp_path, seed) for seed in seeds)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_files_are_refused_or_played_by(name, targets, tmp_path, monkeypatch):
    """A few changes of each kind of file."""
    assert run_attacks(name, targets, tmp_path, monkeypatch, range(12)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_hostile_files_are_refused_or_played_by(name, targets, tmp_path, monkeypatch):
    """The same with many."""
    assert run_attacks(name, targets, tmp_path, monkeypatch, range(12, 400)) > 100
