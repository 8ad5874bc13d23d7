"""Self-play: the player meets the pool and itself, and learns from its own logs.

    round-K/logs/        match logs of the round, as a dealer writes them
    round-K/records      its own decisions in them
    round-K/run/         the training, which begins from the best network so far
    round-K.json         what old and new one won on the same deals, and whether the new one stays
    cnn.network          the best one

Each round plays other deals, and judges on others again.  A new network stays if it wins
significantly more than the old one, in the mean over the opponents and the old network itself.  A
run that was stopped resumes from what is there.

After Yakovenko et al., AAAI 2016, whose player learns from 100 000 hands of its own in each round.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import TrainingError
from agents.poker_cnn.model import SUFFIX, CnnModel
from agents.poker_cnn.policy import cnn_policy
from agents.poker_cnn.reading import collect_records
from agents.poker_cnn.train.cnn_run import NETWORK, RUN, CnnRunSettings, run_training
from agents.roster.bots import find_agent
from agents.training.run_folder import CHECKPOINT, RunFolder, machine
from engine.estimates.winrate import half_interval
from engine.play.compiled_match import play_matches
from engine.play.record import state_lines
from engine.storage.atomic import replacing, write_whole
from engine.storage.documents import json_document
from protocol.handlog import Header, Score, format_chips, format_header, format_score

if TYPE_CHECKING:
    import torch

    from agents.poker_cnn.train.cnn_plan import CnnPlan
    from agents.poker_cnn.train.stage import OnEpoch
    from engine.play.compiled_match import CompiledMatchResult
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

PLAYER: Final = "cnn"
ITSELF: Final = "itself"
GAME_NAME: Final = "holdem.nolimit.2p.reverse_blinds.game"
_JUDGING_SEED_STEP: Final = 500_009


@dataclass(frozen=True, slots=True)
class RoundsSettings:
    """What all rounds share."""

    game: GameDef
    opponents: tuple[str, ...]
    """Agents that are compiled; the player itself comes last."""
    rounds: int
    deals: int
    """Of each match, played from both seats: to learn from, and as many others to judge by."""
    plan: CnnPlan

    def facts(self) -> dict[str, Any]:
        """Return them as plain values, but for the number of rounds, which may grow."""
        return {
            "opponents": list(self.opponents),
            "deals": self.deals,
            "plan": self.plan.facts(),
        }


def claim_rounds(folder: Path, settings: RoundsSettings, first: CnnModel, *, resume: bool) -> None:
    """Write whose folder it is, or check that it belongs to the same rounds.

    Raises:
        OSError: it cannot be written.
        TrainingError: it belongs to others.
    """
    begun = hashlib.sha256(first.weights.tobytes()).hexdigest()
    config = {**settings.facts(), "begun_from": begun}
    RunFolder(folder, RUN).claim(config, resume=resume)


def play_rounds(
    first: CnnModel,
    settings: RoundsSettings,
    folder: Path,
    *,
    device: torch.device,
    command: str = "",
    on_epoch: OnEpoch | None = None,
    say: Callable[[str], None] = lambda text: None,
    stop: Callable[[], bool] = lambda: False,
) -> CnnModel | None:
    """Play all rounds that are left; return the best network, None where it was stopped.

    Args:
        device: where networks are trained.
        command: the command line, for the provenance.
        say: called with what is done, and the result of each round.
        stop: returns whether to end.

    Raises:
        AgentError: an opponent cannot be built.
        OSError: a file cannot be written.
        TrainingError: something in the folder is of another run.
    """
    best, history = first, []
    for number in range(1, settings.rounds + 1):
        if stop():
            return None
        round_folder = folder / f"round-{number}"
        note = folder / f"round-{number}.json"
        if note.is_file():
            try:
                result = json_document(note.read_text(encoding="utf-8"))
            except ValueError as error:
                raise TrainingError(f"{note} is damaged: {error}") from error
        else:
            say(f"round {number}: plays {2 * settings.deals:,} hands with each opponent")
            _play(best, settings, number, round_folder / "logs")
            candidate = _learn(best, settings, number, round_folder, device, on_epoch, stop)
            if candidate is None:
                return None
            say(f"round {number}: old and new network play the same deals")
            result = _judge(best, candidate, settings, number)
            write_whole(note, json.dumps(result, indent=1) + "\n")
        history.append(result)
        verdict = "stays" if result["better"] else "is rejected"
        say(
            f"round {number}: {result['gain_mbb_per_hand']:+.0f} ± {result['ci95']:.0f} mbb/h, "
            f"the new network {verdict}"
        )
        if result["better"]:
            best = CnnModel.load(round_folder / "run" / NETWORK)
    made = {
        "rounds": [
            {key: result[key] for key in ("gain_mbb_per_hand", "ci95", "better")}
            for result in history
        ],
        "begun_from": first.made,
        "settings": settings.facts(),
        "command": command,
        "machine": machine(),
    }
    best = replace(best, made=made)
    best.save(folder / f"{PLAYER}{SUFFIX}")
    return best


def _pairs(
    model: CnnModel, settings: RoundsSettings, seed: int
) -> list[tuple[str, CompiledPolicy, CompiledPolicy]]:
    """Return each pairing's name, the player, and its opponent."""
    pairings = []
    for number, name in enumerate(settings.opponents):
        opponent = find_agent(name).compiled_policy(settings.game, 2 * (seed + number) + 1)
        pairings.append((name, cnn_policy(model.weights, seed=2 * (seed + number)), opponent))
    return pairings


def _play(model: CnnModel, settings: RoundsSettings, number: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    seed = settings.plan.seed + 1000 * number
    met = _pairs(model, settings, seed)
    met.append(
        (ITSELF, cnn_policy(model.weights, seed=seed), cnn_policy(model.weights, seed=seed + 1))
    )
    for at, (name, policy, opponent) in enumerate(met):
        paths = [folder / f"{PLAYER}.{name}.{seating}.log" for seating in range(2)]
        if all(path.exists() for path in paths):
            continue
        (match,) = play_matches(
            settings.game,
            [(policy, opponent)],
            settings.deals,
            seed + at,
            duplicate=True,
            record=True,
        )
        for seating, path in enumerate(paths):
            header = Header(path.stem, GAME_NAME, settings.deals, seed + at)
            _write(path, header, match, (PLAYER, name), seating, settings.game)


def _write(
    path: Path,
    header: Header,
    match: CompiledMatchResult,
    names: tuple[str, str],
    seating: int,
    game: GameDef,
) -> None:
    """Write the log of a seating: header, a line a hand, score."""
    total = float(match.won[seating].sum())
    seats = [(names[0], total), (names[1], -total)][:: -1 if seating else 1]
    score = Score(
        tuple(format_chips(chips) for _, chips in seats), tuple(name for name, _ in seats)
    )
    with replacing(path) as file:
        file.write(f"{format_header(header)}\n".encode())
        lines = state_lines(game, match, names, seating)
        file.writelines(f"{line}\n".encode() for line in lines)
        file.write(f"{format_score(score)}\n".encode())


def _learn(
    best: CnnModel,
    settings: RoundsSettings,
    number: int,
    round_folder: Path,
    device: torch.device,
    on_epoch: OnEpoch | None,
    stop: Callable[[], bool],
) -> CnnModel | None:
    """Train on the logs of a round, from the best network on; None where it was stopped."""
    logs = sorted((round_folder / "logs").glob("*.log"))
    records, _ = collect_records(logs, PLAYER, settings.game)
    plan = replace(settings.plan, seed=settings.plan.seed + number)
    run = CnnRunSettings(plan, 0.0, 0, best.weights)
    folder = round_folder / "run"
    resume = (folder / CHECKPOINT).exists()
    result = run_training(records, run, folder, device, resume=resume, on_epoch=on_epoch, stop=stop)
    return None if result is None else result.model


def _judge(old: CnnModel, new: CnnModel, settings: RoundsSettings, number: int) -> dict[str, Any]:
    """Return what both win from everybody on the same deals, and whether the new one is better."""
    seed = settings.plan.seed + 1000 * number + _JUDGING_SEED_STEP
    gains: list[tuple[float, float]] = []
    by_opponent: dict[str, Any] = {}
    both = [
        [*_pairs(model, settings, seed), (ITSELF, cnn_policy(model.weights, seed=seed), rival)]
        for model, rival in (
            (old, cnn_policy(old.weights, seed=seed + 1)),
            (new, cnn_policy(old.weights, seed=seed + 1)),
        )
    ]
    for at, (name, _, _) in enumerate(both[0]):
        won = [
            play_matches(
                settings.game, [(met[at][1], met[at][2])], settings.deals, seed + at, duplicate=True
            )[0].won.mean(axis=0)
            for met in both
        ]
        gain = 1000 / settings.game.big_blind * (won[1] - won[0])
        gains.append((float(gain.mean()), half_interval(float(gain.std(ddof=1)), len(gain))))
        means = [1000 / settings.game.big_blind * float(winnings.mean()) for winnings in won]
        by_opponent[name] = {
            "old": means[0],
            "new": means[1],
            "gain": gains[-1][0],
            "ci95": gains[-1][1],
        }
    mean = float(np.mean([gain for gain, _ in gains]))
    half = float(np.hypot.reduce([half for _, half in gains])) / len(gains)
    return {
        "gain_mbb_per_hand": mean,
        "ci95": half,
        "better": bool(mean > half),
        "hands": 4 * settings.deals * len(gains),
        "by_opponent": by_opponent,
    }


def scripted_opponents(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of agents that can be met in rounds.

    Raises:
        UnknownAgent: there is none of a name, or it only plays at tables.
    """
    from protocol.gamedefs import load_builtin

    for name in names:
        find_agent(name).compiled_policy(load_builtin("hunl"), 0)
    return tuple(names)
