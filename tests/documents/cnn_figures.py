"""Figures of the network that sees hands: the planes of a decision, calibration, winnings."""

from itertools import accumulate
from typing import Final

import numpy as np
from matplotlib.figure import Figure

from agents.poker_cnn.planes import SIDE
from agents.poker_cnn.train.accuracy import MAJORITY
from tests.documents.cells import read
from tests.documents.cnn import FOLDER, duels
from tests.documents.drawing import COLOURS, DARK, line_figure, new_figure
from tests.studies.cnn_duels import AGENTS, LIMIT, LIMIT_RIVALS, RIVALS

CARD_PLANES: Final = 8
"""The first planes show cards: 4 rows of suits, 13 columns of ranks."""
SUITS: Final = "shdc"
RANKS: Final = "23456789TJQKA"
LEAST_ACTIONS: Final = 50
"""In a bin of chances that is drawn."""
BLOCK_HANDS: Final = 500


def planes() -> Figure:
    """Return the planes of a decision: 16 grids, darker where a cell is nearer 1."""
    facts = read(f"{FOLDER}/planes.json")
    lines = (
        f"{facts['hole']} on {facts['board'] or 'no board yet'}, betting so far "
        f"{facts['betting'] or 'none'}; it {facts['taken']}",
        f"pot {facts['pot']}, to call {facts['to_call']}, equity {facts['equity']:.3f} against a "
        "random hand",
    )
    title = "A hand as the network sees it"
    figure, panels = new_figure(title, "\n".join(lines), len(facts["planes"]), 4, (1.9, 2.1))
    for number, (axes, (name, rows)) in enumerate(
        zip(panels, facts["planes"].items(), strict=True)
    ):
        axes.set_title(f"{number + 1} {name}", loc="left", fontsize=9)
        axes.grid(visible=False)
        axes.imshow(
            np.array([row.split() for row in rows], np.float32),
            "Blues",
            vmin=0,
            vmax=1,
            extent=(0, SIDE, SIDE, 0),
            interpolation="nearest",
        )
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(True)
        if number < CARD_PLANES:
            axes.plot([0, 13, 13], [4, 4, 0], "--", color=COLOURS[1], linewidth=1)
            axes.set_xticks([at + 0.5 for at in range(len(RANKS))], RANKS, fontsize=6)
            axes.set_yticks([at + 0.5 for at in range(len(SUITS))], SUITS, fontsize=7)
            axes.tick_params(length=0, pad=1)
    return figure


def calibration(name: str) -> Figure:
    """Return how often actions happened to which a chance was given, in bins of five percent.

    Of every decision once where there was a cross training, else of the hands held out by those
    who learned from most; bins of few actions are left out.
    """
    facts = read(f"{FOLDER}/{name}.json")
    judged = facts.get("cross") or {one: points[-1] for one, points in facts["curve"].items()}
    lines = {
        one: [
            (100 * given, 100 * done)
            for given, done, count in found["reliability"]
            if count >= LEAST_ACTIONS
        ]
        for one, found in judged.items()
        if one != MAJORITY
    }
    title = "Chances predicted, and what happened"
    figure, axes = line_figure(title, "chance predicted, %", "actions that happened, %", lines)
    axes.plot([0, 100], [0, 100], "--", color=DARK, linewidth=0.8, label="as predicted")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    axes.set(xlim=(0, 100), ylim=(0, 100))
    return figure


def winnings() -> Figure:
    """Return what the bot has won from its rivals as hands go by."""
    lines = {}
    for (agent, rival), duel in duels().items():
        if agent == AGENTS[0] and rival in RIVALS:
            sums = accumulate(duel["blocks"], initial=0.0)
            lines[f"from {rival}"] = [
                (BLOCK_HANDS * end, total * BLOCK_HANDS / 1e6) for end, total in enumerate(sums)
            ]
    return line_figure(f"What {AGENTS[0]} wins", "hands", "thousands of big blinds", lines)[0]


def mean_winnings() -> Figure:
    """Return the article's figure 7: what the bot has won a hand from its rivals, in limit."""
    lines = {}
    for (agent, rival), duel in duels(f"duels-{LIMIT}").items():
        if agent == AGENTS[0] and rival in LIMIT_RIVALS:
            sums = accumulate(duel["blocks"])
            lines[f"from {rival}"] = [
                (BLOCK_HANDS * end, total / end) for end, total in enumerate(sums, 1)
            ]
    title = f"What {AGENTS[0]} wins a hand in limit hold'em"
    return line_figure(title, "hands", "mean so far, mbb/h", lines)[0]
