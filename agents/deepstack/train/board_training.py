"""Training of `engine.networks.board_network`: PyTorch; the result plays without it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
import torch
from torch import nn

from agents.training.run_folder import RunFolder
from engine.networks.board_network import (
    BUCKET_INPUTS,
    STACK_INPUTS,
    BoardValueNetwork,
    bucket_inputs,
    open_share,
    summary_inputs,
)
from engine.networks.dense import DenseNetwork
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from agents.deepstack.bucketed import Bucketed

KIND: Final = Kind("training of a board value network", 1, "train anew in another folder")
_WARM_UP: Final = 0.1
_RANGE_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """How a network is trained."""

    summary: tuple[int, ...] = (256, 256, 64)
    """Widths of the layers that see both ranges; the last one is the summary."""
    head: tuple[int, ...] = (32, 32, 32)
    """Widths of the head, all alike."""
    epochs: int = 30
    batch: int = 64
    rate: float = 6e-3
    """Of Adam at its height, after a tenth of all updates; it rises and falls by cosines."""
    delta: float = 0.1
    """Pots where Huber's loss becomes linear."""
    seed: int = 1

    def facts(self) -> dict[str, Any]:
        """Return plain values."""
        return cast("dict[str, Any]", json.loads(json.dumps(asdict(self))))


class BoardEpoch(NamedTuple):
    """How far a training is."""

    number: int
    """From 1."""
    loss: float


class BoardNet(nn.Module):
    """The network's layers; see `engine.networks.board_network`."""

    def __init__(self, buckets: int, plan: BoardPlan) -> None:
        """Draw weights from torch's generator."""
        super().__init__()
        sizes = (4 * buckets + STACK_INPUTS, *plan.summary)
        self.summary = nn.ModuleList(nn.Linear(*pair) for pair in pairwise(sizes))
        sizes = (BUCKET_INPUTS + plan.summary[-1], *plan.head, 2)
        self.head = nn.ModuleList(nn.Linear(*pair) for pair in pairwise(sizes))

    def forward(self, summary: torch.Tensor, buckets: torch.Tensor) -> torch.Tensor:
        """Return (N, 2, B) what is won beyond the equity, before stacks and the last layer."""
        *hidden, last = _linear(self.summary)
        for layer in hidden:
            summary = torch.relu(layer(summary))
        summary = last(summary)
        entry, *middle, out = _linear(self.head)
        by_bucket, by_summary = entry.weight[:, :BUCKET_INPUTS], entry.weight[:, BUCKET_INPUTS:]
        state = nn.functional.linear(buckets, by_bucket)
        state = torch.relu(state + nn.functional.linear(summary, by_summary, entry.bias)[:, None])
        for layer in middle:
            state = state + torch.relu(layer(state))
        scores: torch.Tensor = out(state).transpose(1, 2)
        return scores

    def network(self, facts: Mapping[str, Any]) -> BoardValueNetwork:
        """Return the same network without torch, in half precision."""
        summary, head = (
            [
                tuple(
                    part.detach().numpy().T.astype(np.float16).astype(np.float32)
                    for part in (layer.weight, layer.bias)
                )
                for layer in _linear(layers)
            ]
            for layers in (self.summary, self.head)
        )
        weights, biases = zip(*summary, strict=True)
        dense = DenseNetwork(weights, biases, "rectified")
        return BoardValueNetwork(dense, tuple((w, b) for w, b in head), facts)

    def begin_with(self, network: BoardValueNetwork) -> None:
        """Take the weights of a trained network.

        Raises:
            ValueError: it has other layers.
        """
        theirs = [
            *zip(network.summary.weights, network.summary.biases, strict=True),
            *network.head,
        ]
        ours = [*_linear(self.summary), *_linear(self.head)]
        shapes = [tuple(layer.weight.shape[::-1]) for layer in ours]
        if shapes != [weights.shape for weights, _ in theirs]:
            raise ValueError("the network to begin with has other layers")
        with torch.no_grad():
            for layer, (weights, biases) in zip(ours, theirs, strict=True):
                layer.weight.copy_(torch.from_numpy(np.ascontiguousarray(weights.T)))
                layer.bias.copy_(torch.from_numpy(biases))


class BoardTraining:
    """A run in a folder, epoch by epoch; equal data and plans give equal networks."""

    def __init__(
        self,
        folder: RunFolder,
        data: Bucketed,
        plan: BoardPlan,
        digest: str,
        *,
        begin: BoardValueNetwork | None = None,
        resume: bool = False,
    ) -> None:
        """Begin, or go on from the checkpoint.

        Args:
            digest: of the data.
            begin: whose weights come first.

        Raises:
            TrainingError, OSError: as from `RunFolder.claim`.
            ValueError: the network to begin with has other layers.
        """
        torch.manual_seed(plan.seed)
        self._folder: Final = folder
        self._data: Final = data
        self._plan: Final = plan
        self._config: Final = {"plan": plan.facts(), "data": digest, "begun": begin is not None}
        self._net: Final = BoardNet(data.shares.shape[2], plan)
        if begin is not None:
            self._net.begin_with(begin)
        self._optimiser: Final = torch.optim.Adam(self._net.parameters(), plan.rate)
        self.epochs: list[BoardEpoch] = []
        folder.claim(self._config, resume=resume)
        if resume:
            self._restore()

    @property
    def over(self) -> bool:
        """Whether all epochs are done."""
        return len(self.epochs) >= self._plan.epochs

    def learn(self, stop: Callable[[], bool]) -> bool:
        """Run the next epoch and keep it; False, and nothing is kept, where it was stopped."""
        number = len(self.epochs)
        count, size = len(self._data.stacks), self._plan.batch
        batches = -(-count // size)
        rng = np.random.default_rng((self._plan.seed, number))
        losses = 0.0
        for place, rows in enumerate(np.array_split(rng.permutation(count), batches)):
            if stop():
                return False
            done = (number * batches + place) / (self._plan.epochs * batches)
            for group in self._optimiser.param_groups:
                group["lr"] = self._plan.rate * _height(done)
            loss = self._loss(self._data.rows(np.sort(rows)))
            self._optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimiser.step()
            losses += loss.item() * len(rows)
        self.epochs.append(BoardEpoch(number + 1, losses / count))
        self._save()
        return True

    def network(self, facts: Mapping[str, Any]) -> BoardValueNetwork:
        """Return what was learnt so far, with facts about it."""
        return self._net.network(facts)

    def _loss(self, batch: Bucketed) -> torch.Tensor:
        """Return Huber's loss: half of it by hand, half by range."""
        summary = summary_inputs(batch.shares, batch.equity, batch.stacks)
        inputs = bucket_inputs(batch.shares, batch.equity, batch.hands, batch.moments)
        scores = self._net(torch.from_numpy(summary), torch.from_numpy(inputs))
        mass, equity, wanted = map(torch.from_numpy, (batch.mass, batch.equity, batch.values))
        values = scores * torch.from_numpy(open_share(batch.stacks))[:, None, None] + equity
        values = values - ((values * mass).sum((1, 2)) / 2)[:, None, None]
        by_hand = batch.hands / batch.hands.sum(axis=1, keepdims=True)
        weights = (1 - _RANGE_SHARE) * by_hand[:, None] + _RANGE_SHARE * batch.mass
        losses = nn.functional.huber_loss(values, wanted, reduction="none", delta=self._plan.delta)
        mean: torch.Tensor = (losses * torch.from_numpy(weights)).sum((1, 2)).mean()
        return mean

    def _save(self) -> None:
        arrays = {name: part.numpy() for name, part in self._net.state_dict().items()}
        moments = self._optimiser.state_dict()["state"]
        for number, state in moments.items():
            arrays |= {f"adam-{number}-{name}": part.numpy() for name, part in state.items()}
        facts = {"epochs": [list(epoch) for epoch in self.epochs]}
        self._folder.save(self._config, facts, arrays)

    def _restore(self) -> None:
        with self._folder.restoring(self._config) as (facts, arrays):
            if not facts.get("epochs"):
                return
            parts = {name: torch.from_numpy(np.array(part)) for name, part in arrays.items()}
            names = self._net.state_dict().keys()
            self._net.load_state_dict({name: parts[name] for name in names})
            state: dict[int, dict[str, torch.Tensor]] = {}
            for name in parts.keys() - names:
                _, number, moment = name.split("-")
                state.setdefault(int(number), {})[moment] = parts[name]
            groups = self._optimiser.state_dict()["param_groups"]
            self._optimiser.load_state_dict({"state": state, "param_groups": groups})
            self.epochs = [BoardEpoch(int(number), float(loss)) for number, loss in facts["epochs"]]


def _linear(layers: nn.Module) -> list[nn.Linear]:
    return [cast("nn.Linear", layer) for layer in cast("nn.ModuleList", layers)]


def _height(done: float) -> float:
    """Return the rate at a share of all updates, in parts of the highest."""
    if done < _WARM_UP:
        return 0.5 - 0.5 * float(np.cos(np.pi * done / _WARM_UP)) + 1e-3
    return 0.5 + 0.5 * float(np.cos(np.pi * (done - _WARM_UP) / (1 - _WARM_UP)))


def prepare(threads: int) -> None:
    """Set PyTorch up for training that repeats to the bit."""
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(mode=True)


def folder_of(path: Path) -> RunFolder:
    """Return a run's folder."""
    return RunFolder(path, KIND)
