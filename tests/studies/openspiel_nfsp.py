"""OpenSpiel's neural fictitious self-play on Leduc beside ours: exploitability and speed.

    pip install open_spiel dm-tree ml_collections absl-py
    make study NAME="openspiel-nfsp --steps 300000"

One learns after the other, on one thread of this process, by the settings that each has for Leduc.
Decisions a second are of the processor's time: of ours with, of OpenSpiel's without that for the
exploitability.  A hundred thousand
decisions of OpenSpiel's take some minutes.  OpenSpiel has to be installed beside the project.
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any

from engine.console.arguments import count
from engine.console.output import tell
from tests.studies.frame import finite
from tests.studies.learners import learned

GAMES = {"leduc": "leduc_poker", "kuhn": "kuhn_poker"}
SETTINGS = {
    "replay_buffer_capacity": 200_000,
    "reservoir_buffer_capacity": 2_000_000,
    "min_buffer_size_to_learn": 1000,
    "anticipatory_param": 0.1,
    "batch_size": 128,
    "learn_every": 64,
    "rl_learning_rate": 0.01,
    "sl_learning_rate": 0.01,
    "optimizer_str": "sgd",
    "loss_str": "mse",
    "update_target_network_every": 19_200,
    "epsilon_decay_duration": 20_000_000,
    "epsilon_start": 0.06,
    "epsilon_end": 0.001,
}
"""Those of OpenSpiel's example for Leduc, with one layer of 128."""
PIECES = 10
SMALL = {"game": "kuhn", "steps": 2000}


def add_options(parser: ArgumentParser) -> None:
    """Add the game, and how much is learned."""
    parser.add_argument("--game", default="leduc", choices=sorted(GAMES), help="(%(default)s)")
    parser.add_argument("--steps", type=count, default=300_000, help="decisions (%(default)s)")
    parser.add_argument("--seed", type=count, default=1)


def run(options: Namespace) -> dict[str, Any]:
    """Return both curves, in chips by decisions, and both speeds."""
    try:
        import pyspiel
    except ImportError as error:
        raise ValueError(f"OpenSpiel is not installed: {error}") from error
    import torch

    torch.set_num_threads(1)
    theirs = openspiel(options.game, options.steps, options.seed)
    options.work.mkdir(parents=True, exist_ok=True)
    ours = learned(options, "nfsp", options.seed)
    runs = [{"by": "OpenSpiel", **theirs}, {"by": "ours", **ours}]
    return {
        "game": options.game,
        "steps": options.steps,
        "version": getattr(pyspiel, "__version__", ""),
        "runs": runs,
        "times_as_fast": round(speed(ours) / speed(theirs), 1),
    }


def speed(run: dict[str, Any]) -> float:
    """Return decisions a second."""
    return float(run["curve"][-1][0] / max(run["seconds"], 0.01))


def openspiel(name: str, steps: int, seed: int) -> dict[str, Any]:
    """Return the curve of OpenSpiel's learner, and seconds without those of exploitability."""
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.pytorch import nfsp

    environment = rl_environment.Environment(GAMES[name], players=2)
    environment.seed(seed)
    features = environment.observation_spec()["info_state"][0]
    actions = environment.action_spec()["num_actions"]
    agents = [
        nfsp.NFSP(player, features, actions, [128], seed=seed, **SETTINGS) for player in (0, 1)
    ]
    averages = _averages(environment, agents, nfsp.MODE.AVERAGE_POLICY)
    decisions, seconds, curve = 0, 0.0, []
    for piece in range(1, PIECES + 1):
        begun = time.process_time()
        while decisions < steps * piece // PIECES:
            step = environment.reset()
            while not step.last():
                decided = agents[step.observations["current_player"]].step(step)
                step = environment.step([decided.action])
                decisions += 1
            for agent in agents:
                agent.step(step)
        seconds += time.process_time() - begun
        value = exploitability.nash_conv(environment.game, averages) / 2
        curve.append([decisions, finite(value, 5)])
        tell(f"OpenSpiel: {decisions:,} decisions, {value:.3f} chips, {seconds:.0f} s")
    return {"learner": "nfsp", "seed": seed, "seconds": finite(seconds, 1), "curve": curve}


def _averages(environment: Any, agents: Any, mode: Any) -> Any:
    """Return the average policies of both as one, for OpenSpiel's best responses."""
    from open_spiel.python import policy, rl_environment

    class Averages(policy.Policy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, player_id: int | None = None) -> Any:
            player = state.current_player()
            legal = state.legal_actions(player)
            seen = {
                "info_state": [state.information_state_tensor(player)] * 2,
                "legal_actions": [legal] * 2,
                "current_player": player,
            }
            step = rl_environment.TimeStep(
                observations=seen, rewards=None, discounts=None, step_type=None
            )
            with agents[player].temp_mode_as(mode):
                shares = agents[player].step(step, is_evaluation=True).probs
            return {action: shares[action] for action in legal}

    return Averages(environment.game, [0, 1])
