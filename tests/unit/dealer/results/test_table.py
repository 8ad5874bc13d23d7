"""The result as text."""

import math
from dataclasses import replace

from dealer.results.match_result import BotResult, MatchResult
from dealer.results.match_text import endings_text, explanation_text, result_table, shown_rate
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import schedule
from dealer.server.endings import Ending
from engine.estimates.agreement import EstimatorPair
from engine.estimates.estimators import DUPLICATE_SET, HAND_UNIT, Estimate
from engine.estimates.winrate import WinRate
from tests.helpers.said import says, says_in_a_line

LEGS = schedule(["rule", "call"], seed=1)


def result(hands=2000):
    raw = WinRate(1234.56, 210.4, 4800.0, hands, hands)
    sets = WinRate(-0.04, 1.0, 16.0, 1000, 2000)
    none = WinRate(0.0, math.inf, math.inf, 0, 0)
    rates = (
        Estimate("raw", HAND_UNIT, raw, 1.0),
        Estimate("sets", DUPLICATE_SET, sets, 12.34),
        Estimate("allin", HAND_UNIT, none, None),
    )
    return MatchResult(
        (BotResult("rule", 5.0, rates), BotResult("a-long-name", -5.0, rates)),
        hands,
        hands,
        1000,
        3,
        100,
    )


def test_table_has_a_row_per_bot_and_a_column_per_estimator():
    """Aligned, with samples and the hands that +-10 mbb/h would take."""
    assert result_table(result()) == (
        "mbb/h, 95 %               raw  duplicate sets  all-in expectation\n"
        "-----------------------------------------------------------------\n"
        "rule         +1,234.6 ± 210.4      +0.0 ± 1.0                   -\n"
        "a-long-name  +1,234.6 ± 210.4      +0.0 ± 1.0                   -\n"
        "from              2,000 hands      1,000 sets             0 hands\n"
        "SD per hand             4,800              23                   -\n"
        "hands saved                 -           x12.3                   -\n"
        "for ± 10        890,000 hands        26 hands                   -"
    )


def test_what_nothing_is_known_of_has_no_row():
    """Three hands, one set: no spread, nothing saved, no hands wanted; one set is one."""
    few = WinRate(5.0, 90.0, 80.0, 3, 3)
    one = WinRate(0.0, math.inf, math.inf, 1, 2)
    rates = (Estimate("raw", HAND_UNIT, few, 1.0), Estimate("sets", DUPLICATE_SET, one, None))
    short = replace(result(3), bots=(BotResult("a", 0.0, rates), BotResult("b", 0.0, rates)))
    told = result_table(short).splitlines()
    assert [line.split()[0] for line in told[4:]] == ["from", "SD"]
    assert told[4].endswith("3 hands           1 set")
    assert "hands saved" not in explanation_text(short)


def test_table_of_nothing_says_so():
    """No row of dashes; one sample has a mean but no spread."""
    assert shown_rate(WinRate(5.0, math.inf, math.inf, 1, 1)) == "+5.0 ± ?"
    assert shown_rate(WinRate(0.0, math.inf, math.inf, 0, 0)) == "-"
    says_in_a_line(result_table(result(0)) + "\n", "no hand is in the logs")
    assert explanation_text(result(0)) == ""


def test_table_is_explained():
    """Its units, what the last row counts, which column to quote and what that says."""
    told = explanation_text(result())
    assert [line.partition(":")[0] for line in told.splitlines() if ":" in line] == [
        "mbb/h", "SD per hand", "hands saved", "for ± 10", "to quote", "verdict"
    ]  # fmt: skip
    says(told, "95 % interval", "hands saved:", "± 10 mbb/h")
    says(told, "to quote: all-in expectation", "verdict: none", "0 hands", "100")


def test_estimators_that_disagree_are_warned_of():
    """Below the verdict; those that agree are not spoken of."""
    pair = EstimatorPair("rule", "call", "raw", "allin", 50.0, 20.0, 2000, 90, 0.004)
    fine = replace(pair, p_value=0.2)
    told = explanation_text(replace(result(), comparisons=(pair, fine)))
    (line,) = [line for line in told.splitlines() if line.startswith("warning")]
    says(line, "rule against call: raw less all-in expectation", "+50.0 ± 20.0 mbb/h")
    says(line, "2,000 hands", "p = 0.0040", "2 comparisons", "level 0.01")
    assert "consistency check" not in told


def test_failures_show_cause_and_last_words():
    """Also what was corrected and who was started again."""
    outcomes = [
        LegOutcome(LEGS[0], Ending.CRASH, "call was killed", "call", ("Traceback", "boom")),
        LegOutcome(
            LEGS[1],
            Ending.FINISHED,
            warnings=(("call", (("corrected: illegal", 2), ("ignored: stale", 1))),),
            connections=(("rule", (("reconnected", 3), ("refused", 1))),),
            restarts=2,
        ),
    ]
    finished, crash, *stderr, again, replies, connections = endings_text(outcomes).splitlines()
    says(finished, "1 of 2 legs")
    assert crash == "rule.call.0.0: crash by call: call was killed"
    assert stderr == ["    | Traceback", "    | boom"]
    says(again, "rule.call.0.1", "2 times")
    says(replies, "rule.call.0.1", "call: 2 corrected: illegal, 1 ignored: stale")
    says(connections, "rule.call.0.1", "rule", "3 reconnected, 1 refused")


def test_legs_that_failed_alike_are_told_together():
    """As when a model's file is missing in every leg."""
    words = (Ending.CRASH, "call ended", "call", ("no such file",))
    outcomes = [LegOutcome(leg, *words) for leg in LEGS]
    finished, crash, stderr = endings_text(outcomes).splitlines()
    says(finished, "0 of 2 legs")
    says(crash, "rule.call.0.0, rule.call.0.1: crash by call", "call ended")
    assert stderr == "    | no such file"
    stopped = endings_text([LegOutcome(LEGS[0], Ending.INTERRUPTED, "interrupted")])
    assert stopped.splitlines()[1] == "rule.call.0.0: interrupted"  # which says it already
    names = "rule.call.0.0, rule.call.0.1, rule.call.0.0 and 3 more: crash"
    assert names in endings_text(outcomes * 3)


def test_replies_to_another_state_are_explained_once():
    """Below all legs."""
    warnings = (("call", (("ignored: another state", 1),)),)
    text = endings_text([LegOutcome(leg, Ending.FINISHED, warnings=warnings) for leg in LEGS])
    replies, why = text.splitlines()[-2:]
    says(replies, "rule.call.0.1", "call: 1 ignored: another state")
    says(why, "ignored: another state", "not to act")
    assert text.count(why) == 1
