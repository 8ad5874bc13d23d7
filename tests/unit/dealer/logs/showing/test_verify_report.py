"""Reports as text and JSON."""

import json

from dealer.logs.showing.show import Palette
from dealer.logs.showing.verify_report import report_lines, reports_as_json, total_line
from dealer.logs.verifying.findings import Finding, LogReport, Part
from tests.helpers.said import says

PLAIN = Palette(on=False)


def part(**changes):
    """A match that is all right."""
    fields = {
        "line": 1,
        "name": "m",
        "game": "g",
        "seed": 7,
        "seed_origin": "header",
        "promised": 10,
        "hands": 10,
        "deals_checked": 10,
        "score": "right",
    }
    return Part(**{**fields, **changes})


def test_a_right_log_is_one_line():
    """What was checked is said."""
    report = LogReport("a.log", hands=10, deals_checked=10, parts=[part()], part_count=1)
    (line,) = report_lines(report, PLAIN)
    says(line, "a.log: ok", "10 hands", "deals checked", "seed 7", "SCORE right")


def test_what_was_not_checked_is_said():
    """An unfinished match, no seed, no SCORE, ids that restart."""
    unfinished = part(hands=4, deals_checked=3, score="none", missing=1)
    report = LogReport("a.log", hands=4, parts=[unfinished], part_count=1)
    (line,) = report_lines(report, PLAIN)
    says(line, "a.log: ok", "4 of 10 hands", "1 earlier hand not", "3 deals checked", "no SCORE")
    again = LogReport("a.log", hands=20, parts=[part(hands=20, restarts=1)], part_count=1)
    (line,) = report_lines(again, PLAIN)
    says(line, "20 hands", "restart 1 time", "10 deals checked", "seed 7", "SCORE right")
    unknown = part(seed=None, seed_origin="no header", score="why not")
    report = LogReport("a.log", hands=10, parts=[unknown], part_count=1)
    (line,) = report_lines(report, PLAIN)
    says(line, "deals not checked", "(no header)", "SCORE not checked", "(why not)")


def test_faults_come_first_and_are_bounded():
    """As file:line: reason, with the number of those left out; nothing reaches the terminal raw."""
    report = LogReport(
        "a.log",
        hands=10,
        fault_count=3,
        faults=[Finding(5, "bad \x1b[31m name")],
        remarks=[Finding(6, "resumed")],
        parts=[part(), part(line=20)],
        part_count=3,
    )
    fault, more, note, total, *matches, rest = report_lines(report, PLAIN)
    assert (fault, note) == ("a.log:5: bad \\x1b[31m name", "a.log:6: note: resumed")
    says(more, "a.log", "2 more")
    says(total, "a.log", "3 faults", "10 hands", "3 matches")
    for match, line in zip(matches, (1, 20), strict=True):
        says(match, f"line {line}: m", "10 hands", "deals checked", "seed 7", "SCORE right")
    says(rest, "1 more")
    assert "\x1b[31m" in "".join(report_lines(report, Palette(on=True)))


def test_totals_and_json():
    """Several logs are summed up."""
    reports = [
        LogReport("a.log", hands=1, deals_checked=1),
        LogReport("b.log", hands=2, fault_count=1, faults=[Finding(1, "x\udcff")]),
    ]
    says(total_line(reports), "2 logs", "3 hands", "1 of them", "1 fault")
    parsed = json.loads(reports_as_json(reports))
    assert (parsed["ok"], parsed["hands"], parsed["faults"]) == (False, 3, 1)
    assert [log["ok"] for log in parsed["logs"]] == [True, False]
    assert parsed["logs"][1]["faults"] == [{"line": 1, "text": "x\udcff"}]


def test_deals_are_not_called_checked_when_none_was():
    """Though a seed is known."""
    report = LogReport("a.log", parts=[part(hands=0, deals_checked=0)], part_count=1)
    [line] = report_lines(report, PLAIN)
    says(line, "0 of 10 hands", "deals not checked", "nothing", "seed 7")


def test_faults_of_a_whole_file_have_no_line_number():
    """The file alone stands before them."""
    report = LogReport("a.log", fault_count=1, faults=[Finding(0, "no hand")])
    assert list(report_lines(report, PLAIN)) == ["a.log: no hand", "a.log: 1 fault, 0 hands"]


def test_logs_that_could_not_be_checked_are_counted():
    """They are not well."""
    reports = [LogReport("a.log", hands=1), LogReport("b.log", error="gone")]
    assert total_line(reports).endswith(", 0 faults, 1 log not checked")
    parsed = json.loads(reports_as_json(reports))
    assert (parsed["ok"], parsed["errors"]) == (False, 1)
    assert [log["error"] for log in parsed["logs"]] == [None, "gone"]
