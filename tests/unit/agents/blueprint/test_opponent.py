"""What players of logs were seen to do, and responses to it."""

from types import SimpleNamespace

import numpy as np
import pytest

from agents.blueprint.opponent import Opponent, Wanted, see_opponent
from agents.blueprint.training import OPPONENT, TrainingRun
from agents.blueprint_model.model import tree_of
from agents.errors import GameNotPlayed, TrainingError
from engine.abstraction.lossless import LosslessAbstraction
from engine.betting.info_sets import build_info_sets
from engine.errors import ArtifactMismatch
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import tiny_config

LOG = """# name/game/hands/seed leduc leduc.limit.2p.game 4 1
STATE:0:crc/cc:Ks|Qs/Kh:3|-3:Ann|Bob
STATE:1:rc/cc:Qs|Ks/Kh:-3|3:Bob|Ann
STATE:2:crf:Ks|Qs:-1|1:Ann|Bob
STATE:3:crc/cc:Kh|Js/Ks:3|-3:Ann|Bob
"""


@pytest.fixture(scope="module")
def leduc():
    """Leduc hold'em, its information sets and hands."""
    tree = tree_of(tiny_config("leduc"))
    cards = LosslessAbstraction(tree.game)
    return tree, build_info_sets(tree, cards.counts), cards


def written(tmp_path, text, name="match.log"):
    """Return a log in a file."""
    path = tmp_path / name
    path.write_text(text)
    return path


def wanted(path, name="Ann", trust=0.8, doubt=2.0, **others):
    """Return who is wanted."""
    return Wanted((path,), name, trust, doubt, **others)


def seen(leduc, betting, opponent, hole, board=()):
    """Return how often each action was counted with some cards."""
    tree, info_sets, cards = leduc
    deck = tree.game.deck
    node = next(node for node in tree.decisions.tolist() if tree.betting(node) == betting)
    at = info_sets.cell(node, cards.bucket([deck[hole]], [deck[card] for card in board]))
    return opponent.counts[at : at + int(tree.child_count[node])].tolist()


def test_actions_are_counted_with_the_cards(leduc, tmp_path):
    """Of Ann alone, in both positions; suits do not matter."""
    opponent = see_opponent(wanted(written(tmp_path, LOG)), *leduc[1:])
    assert opponent.facts["hands"] == 4
    assert opponent.facts["decisions"] == opponent.counts.sum() == 2 + 1 + 2 + 2 + 3
    king, queen = 4, 2  # of the deck, two suits a rank
    assert seen(leduc, "", opponent, king) == [3, 0]
    assert sum(seen(leduc, "cr", opponent, king)) == 3
    assert seen(leduc, "cr", opponent, king)[0] == 1
    assert seen(leduc, "r", opponent, king)[1] == 1
    assert seen(leduc, "", opponent, queen) == [0, 0]


def test_hidden_cards_tell_nothing(leduc, tmp_path):
    """A hand of which they are not shown is counted as such."""
    text = LOG.replace("STATE:2:crf:Ks|Qs", "STATE:2:crf:|Qs")
    opponent = see_opponent(wanted(written(tmp_path, text)), *leduc[1:])
    assert opponent.facts["hands_with_hidden_cards"] == 1
    assert opponent.facts["decisions"] == 8


@pytest.mark.parametrize(
    ("text", "name", "error", "why"),
    [
        (LOG, "Eve", TrainingError, "Eve is none of the players; they are Ann, Bob"),
        ("", "Ann", TrainingError, "there are no hands"),
        (LOG.replace("Ks|", "|").replace("|Ks", "|").replace("Kh|", "|"), "Ann", TrainingError,
         "Ann shows no cards in 4 hands"),
        (LOG.replace("Qs/Kh", "Qs/Ks"), "Ann", TrainingError, "dealt twice"),
        (LOG.replace("crf", "fff"), "Ann", TrainingError, "match.log:4"),
        (LOG.replace("Ks|Qs/Kh", "Xs|Qs/Kh"), "Ann", TrainingError, "match.log:2"),
        (LOG.replace("Ann|Bob", "Ann"), "Ann", TrainingError, "match.log:2"),
        ("STATE:0:cc/cc/cc/cc:AsKs|QsJs/2h3h4h/5d/6c:0|0:Ann|Bob\n", "Ann", GameNotPlayed,
         "the config plays"),
    ],
)  # fmt: skip
def test_logs_that_show_nobody_are_refused(leduc, tmp_path, text, name, error, why):
    """With the line, and who is in them."""
    asked = wanted(
        written(tmp_path, text), name, game=load_builtin("hulhe") if "QsJs" in text else None
    )
    with pytest.raises(error, match=why):
        see_opponent(asked, *leduc[1:])


def test_raises_of_other_sizes_count_for_their_neighbours(tmp_path):
    """In no-limit games; what is counted adds up to the decisions."""
    tree = tree_of(tiny_config("hunl"))
    cards = SimpleNamespace(
        counts=(1, 1, 1, 1),
        buckets_of_deals=lambda deals, players: np.zeros((len(deals), players, 4), np.int32),
    )
    info_sets = build_info_sets(tree, cards.counts)
    text = "STATE:0:r270c/cr433f:AsKs|QsJs/2h3h4h:-270|270:Bob|Ann\n"
    asked = wanted(written(tmp_path, text), game=load_builtin("hunl"))
    opponent = see_opponent(asked, info_sets, cards)
    assert opponent.counts.sum() == pytest.approx(2)
    assert (opponent.counts > 0).sum() > 2


def test_a_run_of_a_response_goes_on_as_it_was_begun(tmp_path):
    """With the opponent of its folder, which its model tells of."""
    log = written(tmp_path, LOG)
    run = TrainingRun.begin(tmp_path / "run", tiny_config("leduc"), wanted=wanted(log))
    run.learn(1e6, most_iterations=2000)
    run.checkpoint()
    again = TrainingRun.resume(tmp_path / "run")
    for one in (run, again):
        one.learn(1e6, most_iterations=4000)
    assert (again.solver.cells == run.solver.cells).all()
    assert again.provenance()["response_to"]["name"] == "Ann"
    other = Opponent(run.opponent.counts * 2, run.opponent.facts)
    other.save(tmp_path / "run" / OPPONENT)
    with pytest.raises(TrainingError, match="another opponent"):
        TrainingRun.resume(tmp_path / "run")
    (tmp_path / "run" / OPPONENT).write_bytes(b"no opponent")
    with pytest.raises(ArtifactMismatch):
        Opponent.load(tmp_path / "run" / OPPONENT)
    with pytest.raises(TrainingError, match="cannot resume"):
        TrainingRun.resume(tmp_path / "run")


def test_what_is_seen_of_a_strategy_is_that_strategy(leduc):
    """Full trust and no doubt leave nothing free where it was seen."""
    _, info_sets, _ = leduc
    counts = np.ones(info_sets.cells, np.float32)
    facts = {"name": "Ann", "trust": 1.0, "doubt": 0.0}
    fixed = Opponent(counts, facts).restraint(info_sets).fixed
    for node in np.flatnonzero(info_sets.offset >= 0).tolist():
        rows = info_sets.rows_of(fixed, node)
        actions = rows.shape[1] // 2
        np.testing.assert_allclose(
            rows[:, : actions + 1], [[1 / actions] * actions + [1.0]] * len(rows)
        )
