"""Whether the article's rule, act by the greatest of three values, plays under another reading.

    make study NAME="cnn-values limit.records"

Records are of `arena data cnn` of everybody's decisions in logs of limit hold'em.  Networks learn
from the same hands under each reading of the article's targets, and play greedily on the same
deals.  Let v = gamma^(n - t) for a hand won, half of it for a tie, 0 for a hand lost, at decision t
of n, as in `agents.poker_cnn.train.cnn_plan`.  Of the outputs after a softmax

    taken      that of the action taken is to be v; actions that are not legal have none (cnn-value)
    backward   the same, an update for all last decisions, then one for those before: steps 1 to 9
    unmasked   the same over all three outputs, legal or not
    vector     that of the action taken is to be v, and the others 0
    winner     as taken, of the decisions of whoever won the hand
    no folds   as unmasked, of the decisions that are no folds
    no folds, backward   both

and of the outputs themselves

    linear     that of the action taken is to be v
    chips      that of the action taken is to be what it won more than a fold, in pots

Some minutes of a core for each; what is trained stays in the work folder.  Needs PyTorch.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from agents.poker_cnn.cnn_records import CnnRecords
from agents.poker_cnn.model import SUFFIX, CnnModel
from agents.poker_cnn.net import CnnNet
from agents.poker_cnn.shape import VALUE, initial_weights
from agents.poker_cnn.train.cnn_plan import CnnPlan
from agents.poker_cnn.train.cnn_run import held_out_hands
from agents.poker_cnn.train.descent import scores_of
from agents.poker_cnn.train.devices import prepare
from agents.poker_cnn.train.splitting import units_of
from agents.poker_cnn.train.states import States
from engine.console.arguments import count
from engine.console.output import tell
from engine.estimates.winrate import win_rate
from protocol.gamedefs import load_builtin
from tests.studies.cnn_duels import VALUES_MEET
from tests.studies.duels import Duel, play_duel
from tests.studies.frame import finite
from tests.studies.pool import samples_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.poker_cnn.train.states import Batch

FOLD: Final = 0
GAME: Final = "hulhe"
SMALL: Final = {"hands": 300, "epochs": 1, "deals": 4, "readings": ["taken", "no folds"]}
_HELD_OUT: Final = 0.1
_SEED: Final = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """What the outputs are trained to be."""

    masked: bool = False
    softmax: bool = True
    vector: bool = False
    chips: bool = False
    winners: bool = False
    folds: bool = True
    backwards: bool = False

    def loss(self, scores: torch.Tensor, batch: Batch, wanted: torch.Tensor) -> torch.Tensor:
        """Return the mean squared error of some decisions."""
        if self.masked:
            scores = scores + batch.barred
        given = torch.softmax(scores, dim=1) if self.softmax else scores
        if self.vector:
            target = torch.zeros_like(given).scatter(1, batch.taken[:, None], wanted[:, None])
            return (given - target).square().sum(dim=1).mean()
        return (given.gather(1, batch.taken[:, None])[:, 0] - wanted).square().mean()


READINGS: Final = {
    "taken": Reading(masked=True),
    "backward": Reading(masked=True, backwards=True),
    "unmasked": Reading(),
    "vector": Reading(vector=True),
    "winner": Reading(masked=True, winners=True),
    "no folds": Reading(folds=False),
    "no folds, backward": Reading(folds=False, backwards=True),
    "linear": Reading(softmax=False),
    "chips": Reading(softmax=False, chips=True),
}


def add_options(parser: ArgumentParser) -> None:
    """Add the records, and how much is learned and played."""
    add = parser.add_argument
    add("records", metavar="FILE", type=Path, help="of `arena data cnn`, of everybody")
    add("--hands", metavar="N", type=count, default=60_000, help="(%(default)s)")
    add("--epochs", metavar="N", type=count, default=2, help="(%(default)s)")
    add("--deals", metavar="N", type=count, default=5000, help="of each match (%(default)s)")
    add("--readings", metavar="NAME", nargs="+", choices=tuple(READINGS), help="(all)")


def result_name(_: Namespace) -> str:
    """Return the file beside the other results of the network."""
    return "cnn/values.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return how each reading predicts and plays."""
    options.work.mkdir(parents=True, exist_ok=True)
    device = prepare(1)
    states = States(CnnRecords.load(options.records))
    units = units_of(states.records)
    held = held_out_hands(units, _HELD_OUT)
    chosen = np.flatnonzero(held[states.records.hands])
    rows = {}
    for name in options.readings or READINGS:
        path = options.work / f"{name.replace(', ', '-').replace(' ', '-')}{SUFFIX}"
        if not path.exists():
            order = np.random.default_rng(_SEED).permutation(np.flatnonzero(~held))
            learned = order[: options.hands]
            _train(READINGS[name], states, learned, options.epochs, path)
        net = CnnNet(CnnModel.load(path).weights)
        scores = scores_of(net, states.planes, chosen, device)
        rows[name] = _facts(scores, states.taken[chosen]) | {
            "wins": {other: _match(path, other, options.deals) for other in VALUES_MEET}
        }
        tell(f"{name}: {rows[name]}")
    return {
        "hands": options.hands,
        "epochs": options.epochs,
        "deals": options.deals,
        "records": states.records.made,
        "readings": rows,
    }


def _facts(scores: NDArray[np.float32], taken: NDArray[np.int64]) -> dict[str, float]:
    """Return the share of decisions predicted, and of folds where there is a bet, done and meant"""
    best = scores.argmax(axis=1)
    facing = np.isfinite(scores[:, FOLD])
    return {
        "accuracy": float((best == taken).mean()),
        "folds": float((best[facing] == FOLD).mean()),
        "folds_logged": float((taken[facing] == FOLD).mean()),
    }


def _match(path: Path, other: str, deals: int) -> dict[str, float | None]:
    """Return what a network wins from a bot, playing greedily, mbb/h."""
    game = load_builtin(GAME)
    duel = Duel(f"cnn --model {path} --greedy 1", other, deals, _SEED, game=GAME)
    rate = win_rate(samples_of(play_duel(game, duel), 1), game.big_blind, hands_per_sample=2)
    return {"mbb_per_hand": rate.mbb_per_hand, "ci95": finite(rate.ci95)}


def _train(
    reading: Reading, states: States, hands: NDArray[np.int64], epochs: int, path: Path
) -> None:
    """Train a network by Adagrad, at the rates of `CnnPlan`, and save it."""
    plan = CnnPlan(reading=VALUE, epochs=epochs, backwards=reading.backwards)
    wanted = states.gains
    if not reading.chips:
        wanted = (plan.gamma**states.left * states.worth).astype(np.float32)
    learned = np.zeros(len(states), np.bool_)
    learned[np.isin(states.records.hands, hands)] = True
    if reading.winners:
        learned &= states.worth == 1
    if not reading.folds:
        learned &= states.taken != FOLD
    net = CnnNet(initial_weights(_SEED))
    optimiser = torch.optim.Adagrad(net.parameters(), lr=plan.rate)
    for epoch in range(epochs):
        for group in optimiser.param_groups:
            group["lr"] = plan.rate_in(epoch)
        rng = np.random.default_rng((_SEED, epoch))
        for rows in _batches(states, learned, plan, rng):
            batch = states.planes(rows, rng)
            loss = reading.loss(net(batch.inputs)[0], batch, torch.from_numpy(wanted[rows]))
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    CnnModel(net.row(), VALUE, {}).save(path)


def _batches(
    states: States, learned: NDArray[np.bool_], plan: CnnPlan, rng: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield the decisions of each update: of some hands, or, backwards, of some hands the last ones
    of each player, then those before."""
    rows = np.flatnonzero(learned)
    hands = states.records.hands[rows]
    order = rng.permutation(np.unique(hands))
    begins = np.searchsorted(hands, order)
    ends = np.searchsorted(hands, order, side="right")
    for first in range(0, len(order), plan.batch):
        part = slice(first, first + plan.batch)
        chosen = np.concatenate(
            [rows[begin:end] for begin, end in zip(begins[part], ends[part], strict=True)]
        )
        if not plan.backwards:
            yield chosen
            continue
        for back in np.unique(states.left[chosen]).tolist():
            yield chosen[states.left[chosen] == back]
