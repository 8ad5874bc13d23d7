"""What bots of others tell of their strategies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.aivat.estimating import EstimateConfig, Estimator
from agents.aivat.strategy_reports import ToldFile
from agents.blueprint_model.policy import policy_for
from agents.errors import AgentError
from agents.training.logs import read_hands
from engine.hands.cards import combo_of
from protocol.cards import format_cards

LOG = Path(__file__).parents[3] / "golden" / "aivat" / "blueprint.twin.log"


@pytest.fixture(scope="module")
def hands():
    """The hands of the log with their places."""
    return list(read_hands([LOG]))


@pytest.fixture(scope="module")
def lines(hands):
    """What twin, which is the blueprint, would write down."""
    policy = policy_for(hands[0][1].state.game)
    found = []
    for _, (record, state, cards) in hands:
        viewer = record.names.index("twin")
        hole = cards.holes[viewer]
        for before, _, _ in state.steps():
            if before.actor != viewer:
                continue
            board = cards.board[: state.game.board_seen(before.street)]
            strategy = policy.strategy(before, board)
            chances = strategy.probabilities[combo_of(*hole)]
            told = " ".join(
                f"{action.text}={float(chance)!r}"
                for action, chance in zip(strategy.actions, chances, strict=True)
            )
            streets = [
                "",
                *("/" + format_cards(part) for part in (board[:3], board[3:4], board[4:]) if part),
            ]
            holes = "|".join(format_cards(hole) if at == viewer else "" for at in range(2))
            found.append(
                f"MATCHSTATE:{viewer}:{record.hand_id}:{before.betting}:{holes}{''.join(streets)}:{told}"
            )
    return found


def told_by(tmp_path, lines):
    path = tmp_path / "twin.told"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def estimates(hands, told):
    estimator = Estimator(EstimateConfig({}, None, told, 1))
    return [estimator.estimate(place, hand, 0).estimate for place, hand in hands]


def test_actions_of_who_tells_them_are_corrected(tmp_path, hands, lines):
    """Those of its decisions that it tells, and nothing else; other lines do not matter."""
    without = estimates(hands, {})
    told = estimates(hands, {"twin": told_by(tmp_path, ["# by twin", *lines, "", "good bye"])})
    for one, other in zip(without, told, strict=True):
        assert one[1:4] == other[1:4]
        assert one.actions == 0
    assert sum(one.actions != 0 for one in told) > len(told) // 2
    half = estimates(hands, {"twin": told_by(tmp_path, lines[::2])})
    assert 0 < sum(one.actions != 0 for one in half) < sum(one.actions != 0 for one in told)


def test_the_correction_is_what_the_action_was_expected_to_bring_less_what_it_brought(
    tmp_path, hands
):
    """By hand: a call before the flop that could have been a raise of twice the pot."""
    place, hand = next(one for one in hands if one[1].state.betting.startswith("cc"))
    viewer = 1  # the button is first
    hole = format_cards(hand.cards.holes[viewer])
    line = f"MATCHSTATE:{viewer}:{hand.record.hand_id}::|{hole}:c=0.25 r300=0.75"
    told = {hand.record.names[viewer]: told_by(tmp_path, [line])}
    (found,) = estimates([(place, hand)], told)
    values = estimates([(place, hand)], {})[0]
    checked_down = -values.deal  # of the hands held, at stakes of a big blind
    assert found.actions == pytest.approx((0.25 * 1 + 0.75 * 3 - 1) * checked_down, rel=1e-6)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda line: line.replace("MATCHSTATE:", "MATCHSTATE:x"), "MATCHSTATE:x"),
        (lambda line: line.rpartition(":")[0], "twin.told:1: "),
        (lambda line: line.rpartition(":")[0] + ":c=0.5", "want ACTION=CHANCE with a sum of 1"),
        (lambda line: line.rpartition(":")[0] + ":c=2 f=-1", "want ACTION=CHANCE with a sum of 1"),
        (lambda line: line.rpartition(":")[0] + ":c=nan", "want ACTION=CHANCE with a sum of 1"),
        (lambda line: line.rpartition(":")[0] + ":c=0.5 c=0.5", "c: twice"),
        (lambda line: f"{line}\n{line.rpartition(':')[0]}:c=1", "twin.told:2: told before"),
        (lambda line: "nothing", "no line is MATCHSTATE"),
    ],
)
def test_wrong_files_are_refused(tmp_path, lines, change, said):
    """In a line that says where."""
    with pytest.raises(AgentError, match=said.replace(".", r"\.")):
        ToldFile(told_by(tmp_path, [change(lines[0])]))
    with pytest.raises(AgentError, match="nowhere"):
        ToldFile(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("chances", "said"), [("f=1", "it never plays"), ("c=0.5 r99999=0.5", "illegal")]
)
def test_what_it_cannot_have_done_is_refused(tmp_path, hands, lines, chances, said):
    """An action with no chance, and one that is against the rules."""
    first = next(number for number, line in enumerate(lines) if ":r300:" in line)
    wrong = [*lines[:first], f"{lines[first].rpartition(':')[0]}:{chances}", *lines[first + 1 :]]
    with pytest.raises(AgentError, match=said):
        estimates(hands, {"twin": told_by(tmp_path, wrong)})


def test_rows_for_other_hands_mean_nothing(tmp_path, hands, lines):
    """All are alike, so that the weight of the own hand alone counts."""
    _, hand = hands[0]
    told = ToldFile(told_by(tmp_path, lines)).of_hand(hand, hand.record.names.index("twin"))
    before = next(b for b, _, _ in hand.state.steps() if hand.record.names[b.actor] == "twin")
    rows = told.strategy(before, hand.cards.board[: hand.state.game.board_seen(before.street)])
    assert (rows.probabilities == rows.probabilities[0]).all()
    assert np.isclose(rows.probabilities[0].sum(), 1)
