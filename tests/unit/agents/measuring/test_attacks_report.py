"""What attacks have won, as tables and as facts."""

import pytest

from agents.measuring.lbr_work import plain_facts, plain_table, worst_facts, worst_table
from engine.evaluation.attacks import Bench, Ways, WorstCases, passes
from engine.evaluation.blind_scripts import parse_script
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy
from engine.evaluation.trunk_policies import parse_trunk_policy
from protocol.gamedefs import load_builtin

SETTINGS = [parse_lbr_settings(text) for text in ("FC", "C,C,FCPA,FCPA")]
SCRIPTS = [parse_script(text) for text in ("a", "C", "300f", "F", "mw")]


def bench(policy):
    """A bench in this process."""
    return Bench(policy, load_builtin("hunl"), seed=2, jobs=1, said=lambda text: None)


def test_the_worst_of_two_passes():
    """The most first; how many were tried before is told, and what they won is kept."""
    cases = WorstCases()
    cases.search(bench(FoldPolicy()), Ways(SETTINGS, SCRIPTS), passes(20, 10))
    shown = worst_table("nobody", cases)
    assert shown.startswith("worst cases of nobody, mbb/h (95 %)\n  C,C,FCPA,FCPA ")
    assert "+750 ± ?  10 boards" in shown
    assert "Tried before: 5 scripts with 1 board each.\n" in shown
    facts = worst_facts(cases)
    assert facts["measured_again"][1] == {
        "script": "a",
        "mbb_per_hand": pytest.approx(750, abs=0.01),
        "ci95": None,
        "boards": 10,
    }
    assert [one["ci95"] for one in facts["tried"]] == [None] * 5
    assert {"settings": "FC", "pairs": 20}.items() <= facts["measured_again"][-1].items()


def test_what_was_only_tried():
    """After Ctrl-C in the first pass: with a word on what the highest of many figures means."""
    cases = WorstCases()
    bench(FoldPolicy()).measure(Ways((), SCRIPTS), range(0), range(1), cases.tried)
    shown = worst_table("nobody", cases)
    assert shown.startswith("tried against nobody, mbb/h (95 %)\n")
    assert "Not measured again: " in shown


def test_rivers_have_a_kind_of_their_own():
    """They are counted apart from scripts, by boards as these."""
    cases = WorstCases()
    before = [parse_trunk_policy(text) for text in ("C", "100", "FC", "a")]
    cases.search(bench(CallPolicy()), Ways((), (), before), passes(20, 2))
    assert "Tried before: 4 river responses with 1 board each.\n" in worst_table("x", cases)
    assert worst_facts(cases)["tried"][-1].keys() >= {"river", "boards"}


def test_settings_and_scripts_in_one_table():
    """Without a search, in the order in which they are named."""
    cases = WorstCases()
    bench(FoldPolicy()).measure(Ways(SETTINGS[:1], SCRIPTS[:1]), range(1), range(2), cases.again)
    shown = plain_table("nobody", cases)
    assert shown.startswith("won from nobody, mbb/h (95 %)\n  FC ")
    assert "1 pair, luck taken out\n  script:a" in shown
    lbr, script = map(plain_facts, cases.again)
    assert (lbr["settings"], lbr["rate"]["ci95"], lbr["plain"]["samples"]) == ("FC", None, 1)
    assert (script["script"], script["rate"]["samples"]) == ("a", 2)
