"""What is won from a strategy, and what of many ways is claimed."""

from dataclasses import dataclass

import numpy as np
import pytest

from engine.evaluation.attacks import WAYS_MEASURED_AGAIN, Bench, Ways, WorstCases, passes
from engine.evaluation.blind_scripts import parse_script
from engine.evaluation.board_matches import sample_board
from engine.evaluation.exact_match import ExactMatch
from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_match import measure
from engine.evaluation.lbr_result import result_of
from engine.evaluation.lbr_settings import parse_lbr_settings, suspect_settings
from engine.evaluation.river_response import RiverResponse
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy
from engine.evaluation.trunk_policies import parse_trunk_policy
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
SETTINGS = [parse_lbr_settings(text) for text in ("FC", "C,C,FCPA,FCPA")]
SCRIPTS = [parse_script(text) for text in ("a", "C", "300f", "F", "mw")]


def bench(policy, said=None, game=HUNL):
    """A bench in this process."""
    return Bench(policy, game, seed=2, jobs=1, said=(lambda text: None) if said is None else said)


def test_measured_is_what_lbr_and_the_matches_say():
    """On the deals and boards that were asked for."""
    found, said = [], []
    ways = Ways(SETTINGS, SCRIPTS[:2])
    bench(CallPolicy(), said.append).measure(ways, range(5, 45), range(3, 6), found)
    assert [won.name for won in found] == ["FC", "C,C,FCPA,FCPA", "script:a", "script:C"]
    for won, settings in zip(found, SETTINGS, strict=False):
        want = measure(LocalBestResponse(CallPolicy(), HUNL, settings), 40, 2, first_pair=5)
        assert won.lbr == result_of(want)
        assert won.rate == won.lbr.rate
    for won, script in zip(found[2:], SCRIPTS, strict=False):
        match = ExactMatch(HUNL, script, CallPolicy())
        values = [match.value(sample_board(2, number).tolist()) for number in range(3, 6)]
        assert won.rate.mbb_per_hand == pytest.approx(10 * np.mean(values))
        assert won.samples == "3 boards"
    assert "1 of 2, FC: 16 of 40 pairs" in said
    assert said[-1] == "2 scripts: 3 of 3 boards"


@pytest.mark.slow
def test_rivers_are_measured_beside_scripts():
    """On the same boards; the worst of each kind are measured again."""
    cases, said = WorstCases(), []
    before = [parse_trunk_policy(text) for text in ("C", "100", "FC", "a")]
    ways = Ways((), SCRIPTS[:2], before)
    cases.search(bench(CallPolicy(), said.append), ways, passes(20, 10))
    assert [won.name for won in cases.tried] == [f"river:{one.name}" for one in before]
    assert [won.name for won in cases.again][:2] == ["script:a", "script:C"]
    assert {won.name for won in cases.again[2:]} <= {"river:C", "river:100", "river:a", "river:FC"}
    assert len(cases.again) == 5
    response = RiverResponse(HUNL, before[1], CallPolicy())
    (won,) = (won for won in cases.again if won.name == "river:100")
    values = [response.value(sample_board(2, number).tolist()) for number in range(1, 11)]
    assert won.rate.mbb_per_hand == pytest.approx(10 * np.mean(values))
    assert said[0] == "tried: 4 river responses: 1 of 1 boards"


def test_the_second_pass_measures_the_worst_on_fresh_samples():
    """The most won of each kind; no pair or board of the first pass is played again."""
    cases = WorstCases()
    samples = passes(20, 10)
    assert samples == ((range(4), range(4, 24)), (range(1), range(1, 11)))
    said = []
    cases.search(bench(FoldPolicy(), said.append), Ways(SETTINGS, SCRIPTS), samples)
    assert [won.name for won in cases.tried] == [f"script:{script.name}" for script in SCRIPTS]
    # Few settings need no first pass; of the scripts, those that raise win a folder's blinds.
    assert [won.name for won in cases.again] == [
        *(settings.name for settings in SETTINGS),
        *("script:a", "script:300f", "script:mw"),
    ]
    assert [won.rate.samples for won in cases.again] == [20, 20, 10, 10, 10]
    assert said[0] == "tried: 5 scripts: 1 of 1 boards"
    assert said[-1] == "measured: 3 scripts: 10 of 10 boards"
    assert cases.again[2].rate.mbb_per_hand == pytest.approx(750, abs=0.01)


@dataclass
class Stopping:
    """A folder who is tired after some questions, as a user who presses Ctrl-C."""

    left: int

    def strategy(self, state, board):
        """Fold."""
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return FoldPolicy().strategy(state, board)


def test_ctrl_c_leaves_what_there_is():
    """In the first pass, and in the second one."""
    ways, tables = Ways((), SCRIPTS), []
    for questions in (0, 30, 60):
        cases = WorstCases()
        with pytest.raises(KeyboardInterrupt):
            cases.search(bench(Stopping(questions)), ways, passes(20, 40))
        tables.append((len(cases.tried), len(cases.again)))
    assert tables[0] == (0, 0)
    assert tables[1] == (5, 0)
    assert tables[2] == (5, WAYS_MEASURED_AGAIN)


@pytest.mark.parametrize("name", ["hunl", "hulhe"])
def test_suspects_are_different_and_of_the_game(name):
    """In limit games there are no sizes to choose from."""
    found = [settings.name for settings in suspect_settings(load_builtin(name))]
    assert len(set(found)) == len(found) > WAYS_MEASURED_AGAIN
    assert "FC,FC,FC,FC" in found
    assert any("56" in text for text in found) == (name == "hunl")
