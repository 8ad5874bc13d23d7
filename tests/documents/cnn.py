"""Tables of Poker-CNN: how well it predicts, what it wins, and how its networks were made."""

from typing import Any, Final

from agents.poker_cnn.bot import MODELS
from agents.poker_cnn.model import SUFFIX, CnnModel
from agents.poker_cnn.train.accuracy import ACTION_NAMES, STREET_NAMES
from tests.documents.cells import read, table, whole
from tests.studies.cnn_duels import (
    AGENTS,
    LIMIT,
    LIMIT_AGENTS,
    LIMIT_OPPONENTS,
    OPPONENTS,
    VALUES_MEET,
    VARIANTS,
    VARIANTS_MEET,
)
from tests.studies.cnn_search import SEARCHER, WITHOUT

FOLDER: Final = "docs/data/cnn"


def percent(told: list[float]) -> str:
    """Return a share with its interval, in percent."""
    return f"{100 * told[0]:.1f} ± {100 * told[1]:.1f}"


def nats(told: list[float]) -> str:
    """Return a log-loss with its interval."""
    return f"{told[0]:.3f} ± {told[1]:.3f}"


def accuracy(name: str) -> list[str]:
    """Return the network beside the other predictors, every decision judged once."""
    rows = []
    for predictor, one in read(f"{FOLDER}/accuracy-{name}.json")["cross"].items():
        better = one["network_is_better"]
        gain = f"{better['points']:.1f} ± {better['ci95']:.1f}" if better["points"] else ""
        rows.append(
            [
                predictor,
                percent(one["accuracy"]),
                gain,
                nats(one["log_loss"]),
                *(percent(one["by_street"][street]) for street in STREET_NAMES),
                *(percent(one["by_action"][action]) for action in ACTION_NAMES),
            ]
        )
    head = ["", "accuracy, %", "network better by", "log-loss, nats", *STREET_NAMES, *ACTION_NAMES]
    return table(head, rows)


def duels(name: str = "duels") -> dict[tuple[str, str], dict[str, Any]]:
    """Return what was played."""
    return {(one["one"], one["other"]): one for one in read(f"{FOLDER}/{name}.jsonl")}


def comparison() -> list[str]:
    """Return what the networks and the blueprint win."""
    return _won(AGENTS, OPPONENTS)


def variants() -> list[str]:
    """Return what the variants of the bot win."""
    return _won(VARIANTS, VARIANTS_MEET)


def limit() -> list[str]:
    """Return what the networks and the blueprint win in limit hold'em."""
    return _won(LIMIT_AGENTS, LIMIT_OPPONENTS, f"duels-{LIMIT}")


def values() -> list[str]:
    """Return how readings of the article's targets predict and play."""
    rows = [
        [
            name,
            f"{100 * one['accuracy']:.1f}",
            f"{100 * one['folds']:.1f}",
            *map(whole, one["wins"].values()),
        ]
        for name, one in read(f"{FOLDER}/values.json")["readings"].items()
    ]
    wins = [f"wins from `{other}`" for other in VALUES_MEET]
    return table(["outputs are", "accuracy, %", "folds to bets, %", *wins], rows)


def search() -> list[str]:
    """Return what a look one step ahead wins, and adds to the network without it."""
    rows = [
        [
            f"`{opponent}`",
            *(whole(one[agent]) for agent in (*WITHOUT, SEARCHER)),
            *(whole(one[f"beyond {agent}"]) for agent in WITHOUT),
            f"{one['milliseconds']:.0f}",
        ]
        for opponent, one in read(f"{FOLDER}/search.json")["opponents"].items()
    ]
    head = [f"`{agent}`" for agent in (*WITHOUT, SEARCHER)]
    more = [f"more than `{agent}`" for agent in WITHOUT]
    return table(["opponent", *head, *more, "ms a decision"], rows)


def _won(agents: tuple[str, ...], opponents: tuple[str, ...], name: str = "duels") -> list[str]:
    found = duels(name)
    rows = [
        [
            f"`{opponent}`",
            *(
                whole(found[agent, opponent]) if (agent, opponent) in found else ""
                for agent in agents
            ),
        ]
        for opponent in opponents
    ]
    return table(["opponent", *(f"`{agent}`" for agent in agents)], rows)


def networks() -> list[str]:
    """Return how the shipped networks were made."""
    rows = []
    for path in sorted(MODELS.glob(f"*{SUFFIX}")):
        model = CnnModel.load(path)
        rows.append([f"`{path.stem}`", model.reading, f"`{model.made['command']}`"])
    return table(["network", "outputs are", "command"], rows)
