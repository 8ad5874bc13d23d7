"""Verifying whole logs: headers, games, seeds, interruptions."""

import os
import threading

import numpy as np
import pytest

from dealer.logs.showing.show import Palette
from dealer.logs.showing.verify_report import report_lines
from dealer.logs.verifying.verify import VerifySettings, use_compiled, verify_log
from engine.errors import LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_games import game_from_argument
from engine.handlogs.source.log_hands import hands_of
from engine.handlogs.source.logged_deals import deals_again
from engine.rules.keyed_dealing import KeyedDealStream
from protocol.deals import (
    DealsCommitment,
    DealsProof,
    SeedProof,
    format_deals_note,
    format_proof,
)
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log
from tests.helpers.said import refused, says

GAME = load_builtin("limit3")
FILE = "holdem.limit.3p.game"


def log_lines(seed=7, hands=10, **options):
    """Lines of a match of three; the seed may be a secret's proof."""
    return random_log(GAME, seed, hands, np.random.default_rng(7), game_name=FILE, **options)


def verified(tmp_path, lines, *, end="\n", name="match.log", **settings):
    """Write a log and verify it."""
    path = tmp_path / name
    text = "\n".join(lines) + end
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return verify_log(path, VerifySettings(**settings))


def fault_texts(report):
    """The faults as (line, text)."""
    return [(fault.line, fault.text) for fault in report.faults]


def test_a_right_log(tmp_path):
    """All hands, all deals, the SCORE."""
    report = verified(tmp_path, log_lines())
    assert report.all_is_well
    assert (report.hands, report.deals_checked, report.lines) == (10, 10, 12)
    [part] = report.parts
    assert (part.seed, part.seed_origin, part.promised, part.score) == (7, "header", 10, "right")


def test_comments_blank_lines_and_time_limits_are_fine(tmp_path):
    """A reconnect note of our dealer, header lines of the original, empty lines."""
    lines = log_lines()
    lines[1:1] = ["#--t_response 600000", "#--t_hand 600000", "#--t_per_hand 7000", ""]
    lines[9:9] = ["# reconnect seat 2 hand 4", "", "# anything"]
    assert verified(tmp_path, lines).all_is_well


def test_the_secret_behind_a_seed_is_checked(tmp_path):
    """A log says where its seed comes from; a secret of another seed is a fault on its line."""
    proof = SeedProof(b"secret", "luck")
    lines = [*log_lines(proof.seed), format_proof(proof)]
    report = verified(tmp_path, lines)
    assert report.all_is_well
    assert any(proof.commitment in remark.text for remark in report.remarks)
    lines[-1] = format_proof(SeedProof(b"secret", "lack"))
    [(line, text)] = fault_texts(verified(tmp_path, lines))
    assert line == len(lines)
    says(text, "secret and words", "not the header's")


PROOF = DealsProof(bytes(range(32)), "luck")


@pytest.mark.parametrize("compiled", [False, True])
def test_deals_of_a_secret_are_checked(tmp_path, compiled):
    """All cards follow from the last line, which shows what was published before."""
    report = verified(tmp_path, log_lines(PROOF), compiled=compiled)
    assert report.all_is_well
    assert (report.hands, report.deals_checked) == (10, 10)
    assert (report.parts[0].seed, report.parts[0].commitment) == (None, PROOF.commitment)
    assert any(f"SHA-256 {PROOF.commitment}" in remark.text for remark in report.remarks)
    text = "\n".join(report_lines(report, Palette(on=False)))
    says(text, "ok", "deals checked", f"secret of SHA-256 {PROOF.commitment}")


@pytest.mark.parametrize("compiled", [False, True])
def test_another_secret_other_words_and_other_cards_are_faults(tmp_path, compiled):
    """A changed secret is not the published one; with other words no hand is right."""

    def faults(lines):
        return fault_texts(verified(tmp_path, lines, compiled=compiled, max_faults=99))

    lines = log_lines(PROOF)
    other = DealsProof(b"x" * 32, "luck")
    [(line, text)] = faults([*lines[:-1], format_proof(other)])
    assert line == len(lines)
    says(text, other.commitment, "not the header's")
    changed = faults([*lines[:-1], format_proof(DealsProof(PROOF.secret, "lack"))])
    assert {line for line, _ in changed} == set(range(3, 13))
    says(changed[0][1], "the secret deals")
    note = format_deals_note(DealsCommitment(other.commitment))
    for changed in (
        [lines[0], note, *lines[2:-1], format_proof(other)],
        [lines[0], *lines[2:]],
        [lines[0].replace(str(PROOF.number), "7"), *lines[1:]],
        [*lines, format_proof(DealsProof(PROOF.secret, "lack"))],
        [*lines, format_proof(SeedProof(PROOF.secret, "luck"))],
    ):
        assert faults(changed)
    fields = lines[5].split(":")
    fields[3] = fields[3].translate(str.maketrans({"s": "c", "c": "s"}))
    lines[5] = ":".join(fields)
    assert {line for line, _ in faults(lines)} == {6}


def test_without_its_secret_no_deal_is_checked(tmp_path):
    """As in the log of a match that is being played; no number there is taken for a seed."""
    report = verified(tmp_path, log_lines(PROOF)[:-1])
    assert report.all_is_well
    assert report.deals_checked == 0
    says(report.parts[0].seed_origin, "no secret of SHA-256", PROOF.commitment, "in this log")


def test_each_match_of_a_log_has_its_secret(tmp_path):
    """Logs behind one another, and both legs of a pair, which have the same."""
    other = DealsProof(b"x" * 32, "")
    legs = [*log_lines(PROOF, name="m.0"), *log_lines(PROOF, name="m.1")]
    report = verified(tmp_path, [*legs, *log_lines(7), *log_lines(other)])
    assert report.all_is_well
    assert (report.part_count, report.deals_checked) == (4, 40)


def test_deals_are_shown_again_from_the_secret(tmp_path):
    """For hands whose cards a log does not show; not without the last line."""
    log = tmp_path / "m.log"
    for kept, again in ((None, True), (-1, False)):
        log.write_text("".join(f"{line}\n" for line in log_lines(PROOF)[:kept]))
        hand = next(hands_of(log, game_from_argument(FILE), Complaints(print)))
        deals = deals_again(hand)
        assert (deals is not None) is again
        if deals is not None:
            assert deals.move_to(3)
            stream = KeyedDealStream(GAME, PROOF.key)
            stream.skip(3)
            assert deals.holes(3) == list(next(stream).holes)


def test_a_pipe_is_not_read_twice(tmp_path):
    """So its deals are not checked, which is said, although the secret stands in it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "".join(f"{line}\n" for line in log_lines(PROOF))
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    report = verify_log(pipe, VerifySettings(game=game_from_argument(FILE)))
    writer.join()
    assert report.all_is_well
    assert report.deals_checked == 0
    says(report.parts[0].seed_origin, "only a file is read twice")
    says(report.remarks[-1].text, "not compared", PROOF.commitment)


def test_each_fault_has_its_line(tmp_path):
    """A changed card is a wrong deal (and maybe a wrong value) on that line only."""
    lines = log_lines()
    swap = str.maketrans({"s": "c", "c": "s"})
    fields = lines[5].split(":")
    fields[3] = fields[3].translate(swap)
    lines[5] = ":".join(fields)
    lines[7] = "STATE:6:garbage"
    report = verified(tmp_path, lines)
    assert {fault.line for fault in report.faults} == {6, 8}
    says(report.faults[-1].text, "STATE")
    says(report.parts[0].score, "hands before", "wrong")


def test_faults_kept_are_bounded_and_all_are_counted(tmp_path):
    """A log of the wrong seed has a fault in every hand."""
    report = verified(tmp_path, log_lines(), seed=8, max_faults=3)
    assert len(report.faults) == 3
    assert report.fault_count >= 10


def test_a_log_that_ends_in_the_middle_of_a_line(tmp_path):
    """A killed dealer's half line is told as what it is, wherever it is cut."""
    lines = log_lines()[:6]
    for cut in range(1, len(lines[-1])):
        report = verified(tmp_path, [*lines[:-1], lines[-1][:cut]], end="")
        [fault] = report.faults
        assert fault.line == 6
        says(fault.text, "log ends", "middle of a line")
    assert verified(tmp_path, lines, end="").all_is_well


def test_a_resumed_match_has_one_score(tmp_path):
    """An equal header with ids that go on continues the match."""
    lines = log_lines()
    report = verified(tmp_path, [*lines[:5], lines[0], *lines[5:]])
    assert report.all_is_well
    [part] = report.parts
    assert (part.hands, part.score) == (10, "right")
    [remark] = report.remarks
    assert remark.line == 6
    says(remark.text, "resumed", "hand 4")


def test_a_resumed_match_may_lack_the_hand_it_was_cut_in(tmp_path):
    """Its SCORE then covers a hand that is not there, which is said and is no fault."""
    lines = log_lines()
    report = verified(tmp_path, [*lines[:5], lines[0], *lines[6:]])
    assert report.all_is_well
    assert report.parts[0].missing == 1
    says(report.parts[0].score, "hands before", 1)


def test_a_header_and_a_score_may_follow_a_finished_match(tmp_path):
    """Resuming a match that had all its hands prints the SCORE again."""
    lines = log_lines()
    assert verified(tmp_path, [*lines, lines[0], lines[-1]]).all_is_well


def test_a_match_that_was_made_longer_promises_all_its_hands(tmp_path):
    """A header with more hands continues it; the SCORE lines before are those of its beginning."""
    lines = log_lines()
    longer = log_lines(hands=15)
    report = verified(tmp_path, [*lines, longer[0], *longer[11:]])
    assert report.all_is_well
    [part] = report.parts
    assert (part.hands, part.promised, part.score) == (15, 15, "right")


def test_another_header_is_another_match(tmp_path):
    """Each has its seed and its SCORE."""
    report = verified(tmp_path, [*log_lines(), *log_lines(seed=8, hands=5)])
    assert report.all_is_well
    assert [(part.seed, part.hands, part.score) for part in report.parts] == [
        (7, 10, "right"),
        (8, 5, "right"),
    ]
    assert (report.hands, report.part_count) == (15, 2)


def test_an_equal_header_may_begin_the_match_anew(tmp_path):
    """Appending without a transaction file plays all hands again."""
    report = verified(tmp_path, log_lines() * 2)
    assert report.all_is_well
    assert report.parts[0].restarts == 1
    says(report.remarks[0].text, "anew")


def test_hands_after_a_match_need_no_header(tmp_path):
    """Logs of one session put together: the first header's seed goes on."""
    lines = log_lines(hands=12)
    first, second = [*lines[:6]], lines[6:-1]
    (tmp_path / "s7.log").write_text("\n".join(first) + "\n")
    report = verified(tmp_path, second, name="s7b.log", game=game_from_argument("limit3"))
    [part] = report.parts
    assert report.all_is_well
    assert (part.seed, part.deals_checked) == (7, 7)
    says(part.seed_origin, "s7.log", "continues")


def test_a_log_without_header_needs_a_game(tmp_path):
    """The error says so; with a game all but the deals can be checked."""
    lines = log_lines()[1:]
    with refused(LogError, "no header", "--game"):
        verified(tmp_path, lines)
    report = verified(tmp_path, lines, game=game_from_argument("limit3"))
    assert report.all_is_well
    assert report.parts[0].seed is None
    assert report.deals_checked == 0
    assert report.parts[0].score == "right"
    report = verified(tmp_path, lines, game=game_from_argument("limit3"), seed=7)
    assert report.deals_checked == 10


def test_more_hands_than_promised(tmp_path):
    """A header's number of hands is a promise."""
    lines = log_lines()
    lines[0] = lines[0].replace(" 10 7", " 9 7")
    [(line, text)] = fault_texts(verified(tmp_path, lines))
    assert line == 11
    says(text, "id 9", "9 hands")


def test_an_impossible_seed_is_a_fault(tmp_path):
    """Seeds have 32 bits."""
    lines = log_lines()
    lines[0] = lines[0].replace(" 10 7", " 10 4294967296")
    report = verified(tmp_path, lines)
    [(line, text)] = fault_texts(report)
    assert line == 2
    says(text, "seed", 4294967296)


def test_foreign_bytes_in_names(tmp_path):
    """Names are bytes to a dealer."""
    report = verified(tmp_path, log_lines(names=("b\\ös", "x\udcff y", "a:b")))
    assert report.all_is_well


def test_a_missing_file_is_an_error(tmp_path):
    """Not a finding."""
    with pytest.raises(LogError, match="No such file"):
        verify_log(tmp_path / "none.log", VerifySettings())


def test_progress_hears_bytes_and_hands(tmp_path):
    """Once per block."""
    path = tmp_path / "m.log"
    path.write_text("\n".join(log_lines()) + "\n")
    heard = []
    verify_log(path, VerifySettings(), lambda read, hands: heard.append((read, hands)))
    assert heard == [(path.stat().st_size, 10)]


def test_long_logs_are_checked_by_compiled_code(tmp_path):
    """Short ones are done before it is loaded."""
    path = tmp_path / "m.log"
    path.write_text("x")
    assert not use_compiled([path, tmp_path / "none"])
    with path.open("wb") as file:
        file.truncate(3_000_000)
    assert use_compiled([path])


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["", "# a comment"],
        [f"# name/game/hands/seed m {FILE} 10 7", "FINISHED at 1.100000"],
        [f"# name/game/hands/seed m {FILE} 10 7", "SCORE:0|0|0:A|B|C"],
    ],
)
def test_a_file_without_a_hand_is_a_fault(tmp_path, lines):
    """An empty file, the end of a match, a SCORE of nothing."""
    report = verified(tmp_path, lines)
    assert not report.all_is_well
    says(dict(fault_texts(report))[0], "no hand")


def test_a_match_that_has_not_begun_is_fine(tmp_path):
    """Only a header, as the dealer leaves it when a player does not come."""
    lines = [f"# name/game/hands/seed m {FILE} 10 7", "#--t_response 600000", "# waiting", ""]
    assert verified(tmp_path, lines).all_is_well


def test_what_matters_most_is_told_among_many_faults(tmp_path):
    """A file of something else says first that there is no hand in it."""
    report = verified(tmp_path, ["what is this"] * 30, max_faults=3)
    says(report.faults[0].text, "no hand")
    assert (len(report.faults), report.fault_count) == (3, 31)


def test_a_match_killed_in_its_first_hand_has_one_fault(tmp_path):
    """The half line; that no hand is left goes without saying."""
    report = verified(tmp_path, [log_lines()[0], "STATE:0:cr"], end="")
    assert [line for line, _ in fault_texts(report)] == [2]


def test_reading_stops_after_so_many_faults(tmp_path):
    """The line is told, and what follows is neither read nor counted."""
    report = verified(tmp_path, log_lines(hands=500), seed=8, max_faults=3, stop_after=3)
    assert (report.fault_count, len(report.faults)) == (3, 3)
    assert report.stopped_at == report.lines == report.faults[-1].line
    assert report.hands < 5
    assert verified(tmp_path, log_lines(), stop_after=1).stopped_at is None


def test_kinds_of_faults_are_counted_by_hand(tmp_path):
    """One hand may have several kinds, and more than one fault of a kind."""
    lines = [line.replace("Ann", "Zed") if line.startswith("STATE:3") else line
             for line in log_lines()]  # fmt: skip
    report = verified(tmp_path, lines, seed=8)
    assert report.parts[0].wrong == {"deals": 10, "names": 1}
    lines[2] = "STATE:1:garbage"
    assert verified(tmp_path, lines).parts[0].wrong == {"unreadable": 1, "names": 1}
