"""Nash averaging: how strong each of N bots is against the mixture of them that nobody beats.

    won   (R, N, N) float64  mbb/h of the row's bot against the column's, antisymmetric; R tables

Choosing a bot to send is a symmetric zero-sum game.  Its equilibrium of maximum entropy, p, is the
mixture; the rating of a bot is what it wins from p: 0 for those who are in it, less for others.
Weak bots and copies of a bot change no rating, so it answers who is strongest, not who wins most
from this field.
Source: Balduzzi, Tuyls, Perolat, Graepel, "Re-evaluating evaluation", NeurIPS 2018.

The equilibrium is the limit of those with an entropy bonus t -> 0, p = softmax(won p / t), followed
by Newton's method.  Its matrix I - won (diag p - p p') / t is never singular: the product of an
antisymmetric and a positive semidefinite matrix has imaginary eigenvalues.  At the end ratings are
at most t log N too high.

Who loses to one mixture that nobody beats is in none of them.  So the strongest bots are solved
alone; where somebody else wins from their mixture, the table is solved again with more of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LAST_T: Final = 1e-6
"""It is a share of the largest win rate: 0.03 mbb/h for bots that win up to 30 000."""
_FACTOR: Final = 0.7
_MOST_STEPS: Final = 60
_MOST_HALVINGS: Final = 20
_CLOSE: Final = 1e-9
_FEWEST_CANDIDATES: Final = 12


class NashAverages(NamedTuple):
    """Of R tables of N bots."""

    shares: NDArray[np.float64]
    """(R, N) share of each bot in the mixture, 1 in all."""
    ratings: NDArray[np.float64]
    """(R, N) what each bot wins from the mixture, mbb/h; 0 or less."""


def nash_averages(won: NDArray[np.float64]) -> NashAverages:
    """Return mixture and ratings of each table.

    Raises:
        ValueError: a table is not antisymmetric, or not finite.
    """
    if not np.isfinite(won).all() or not np.allclose(won, -won.swapaxes(1, 2)):
        raise ValueError("want finite tables in which each bot wins what the other loses")
    scale = np.maximum(np.abs(won).max(axis=(1, 2), keepdims=True), 1.0)
    game = won / scale
    shares = _mixtures(game)
    ratings = (game @ shares) * scale
    return NashAverages(shares[:, :, 0].round(9), np.minimum(ratings[:, :, 0], 0.0))


def _mixtures(game: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the (R, N, 1) equilibria of R games, with few candidates where those are enough."""
    bots = game.shape[1]
    shares = np.zeros((*game.shape[:2], 1))
    open_games = np.arange(len(game))
    size = min(_FEWEST_CANDIDATES, bots)
    if size < bots:
        order = np.argsort(-(game.mean(axis=0) @ _path(game.mean(axis=0)[None])[0])[:, 0])
    else:
        order = np.arange(bots)
    while len(open_games):
        chosen = order[:size]
        payoffs = game[open_games]
        mixed = np.zeros((len(open_games), bots, 1))
        mixed[:, chosen] = _path(payoffs[:, chosen][:, :, chosen])
        shares[open_games] = mixed
        beaten = (
            np.delete(payoffs @ mixed, chosen, axis=1).max(axis=(1, 2), initial=-1.0) > -_LAST_T
        )
        open_games = open_games[beaten]
        size = min(2 * size, bots)
    return shares


def _path(game: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the (R, N, 1) equilibria of R games, followed from an even mixture."""
    logits = np.zeros((*game.shape[:2], 1))
    t = 1.0
    while t > _LAST_T:
        t *= _FACTOR
        logits = _equilibrium(game, logits, t)
    return _softmax(logits)


def _equilibrium(
    game: NDArray[np.float64], logits: NDArray[np.float64], t: float
) -> NDArray[np.float64]:
    """Return the (R, N, 1) logits of the equilibria with an entropy bonus, from others near them.

    Newton's step always points downhill, so the largest of 1, 1/2, 1/4, ... of it that leads down
    is taken.
    """
    unit = np.eye(game.shape[1])
    solution = logits.copy()
    open_games = np.arange(len(game))
    for _ in range(_MOST_STEPS):
        payoffs, at = game[open_games], solution[open_games]
        shares = _softmax(at)
        apart = at - payoffs @ shares / t
        left_over = np.linalg.norm(apart, axis=1, keepdims=True)
        spread = shares * unit - shares @ shares.swapaxes(1, 2)
        step = np.linalg.solve(unit - payoffs @ spread / t, apart)
        part = np.ones((len(open_games), 1, 1))
        for _ in range(_MOST_HALVINGS):
            there = at - part * step
            ahead = np.linalg.norm(there - payoffs @ _softmax(there) / t, axis=1, keepdims=True)
            worse = ahead > (1 - part / 4) * left_over
            if not worse.any():
                break
            part = np.where(worse, part / 2, part)
        solution[open_games] = at - part * step
        close = np.abs(part * step).max(axis=1) < _CLOSE * np.abs(solution[open_games]).max(
            axis=1
        ).clip(1)
        open_games = open_games[~close[:, 0]]
        if not len(open_games):
            break
    return solution


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    total: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return total
