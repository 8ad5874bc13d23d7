"""Counting what players do, against the slow obvious way."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.handlogs.counting import hand_counts as c
from engine.handlogs.counting import tally_block as b
from engine.handlogs.counting.tally import DEPTH_NAMES, Tally
from engine.rules.view import state_of_betting
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, Stakes, parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.rules_strategies import games
from tests.oracles.hand_stats import count_hands

HUNL = load_builtin("hunl")
ORDER = (
    "hands",
    "won",
    "decisions",
    "voluntary",
    "first raises",
    "raises",
    "calls",
    "checks",
    "folds",
    "second street",
    "showdowns",
    "showdowns won",
)
SUMS = ("raw", "raw squares", "expected", "expected squares", "shown", "shown squares")


def hand_lines(game, seed, hands, **options):
    """Lines of random hands."""
    lines = random_log(game, seed, hands, np.random.default_rng(seed), **options)
    return [line for line in lines if line.startswith("STATE")]


def scanned(tally, lines):
    """Feed lines to a tally; all must be counted in compiled code."""
    data = np.frombuffer("\n".join([*lines, ""]).encode("utf-8", "surrogateescape"), np.uint8)
    assert tally.scan(data, 0) == (len(data), len(lines))
    return tally


def assert_equal(tally, game, lines):
    """Compare every count and sum with the oracle's."""
    expected = count_hands(game, [parse_log_line(line) for line in lines])
    found = {(line.player, line.position): line for line in tally.lines()}
    assert set(found) == set(expected)
    for key, line in found.items():
        assert line.counts.tolist() == [expected[key][what] for what in ORDER], key
        wanted = [expected[key][what] for what in SUMS]
        assert line.sums.tolist() == pytest.approx(wanted, rel=1e-9, abs=1e-6), key


@pytest.mark.parametrize("name", ["hulhe", "limit3", "leduc", "kuhn3", "kuhn"])
def test_counts_of_built_in_games(name):
    """All counts and sums of random hands."""
    game = load_builtin(name)
    lines = hand_lines(game, 3, 300)
    assert_equal(scanned(Tally(game), lines), game, lines)


def test_counts_with_allins():
    """No-limit hands, some all-in with cards to come: their expectation is exact."""
    lines = hand_lines(HUNL, 3, 60)
    tally = scanned(Tally(HUNL), lines)
    assert_equal(tally, HUNL, lines)
    assert tally.allins > 3


@given(game=games(no_limit=False), seed=st.integers(0, 1000))
def test_counts_of_any_limit_game(game, seed):
    """Games of any shape; expectations apart, which may take long."""
    lines = hand_lines(game, seed, 6)
    tally = scanned(Tally(game, expectation=False), lines)
    expected = count_hands_without_expectation(game, lines)
    for line in tally.lines():
        wanted = expected[line.player, line.position]
        assert line.counts.tolist() == [wanted[what] for what in ORDER]
        assert line.sums[b.SUM_RAW] == pytest.approx(wanted["raw"])


def count_hands_without_expectation(game, lines):
    """The oracle's counts, with every all-in looking like the last street's."""
    import tests.oracles.hand_stats as oracle

    original = oracle.is_allin_before_last_street
    oracle.is_allin_before_last_street = lambda state: False
    try:
        return count_hands(game, [parse_log_line(line) for line in lines])
    finally:
        oracle.is_allin_before_last_street = original


def test_players_are_merged_by_the_renaming():
    """Names that the renaming maps to one player are counted together."""
    lines = hand_lines(HUNL, 1, 40, names=("Ann.1", "Bob"))
    more = hand_lines(HUNL, 2, 40, names=("Ann.2", "Bob"))
    tally = Tally(HUNL, rename=lambda name: name.split(".")[0])
    scanned(scanned(tally, lines), more)
    totals = {}
    for line in tally.lines():
        totals[line.player] = totals.get(line.player, 0) + line.counts[c.COUNT_HANDS]
    assert totals == {"Ann": 80, "Bob": 80}
    assert tally.hands == 80


def test_more_players_than_room():
    """Tables grow; nothing counted before is lost."""
    tally = Tally(HUNL, expectation=False)
    for number in range(200):
        scanned(tally, hand_lines(HUNL, number, 2, names=(f"player{number}", "Bob")))
    lines = tally.lines()
    assert len({line.player for line in lines}) == 201
    assert sum(line.counts[c.COUNT_HANDS] for line in lines if line.player == "Bob") == 400


def test_unusual_names_are_counted_by_the_other_way_in():
    """Names with blanks, and other dialects, count like any other."""
    lines = hand_lines(HUNL, 4, 30, names=("Ann Lee", "Bob: the second"))
    tally = Tally(HUNL, expectation=False)
    for line in lines:
        data = np.frombuffer(f"{line}\n".encode(), np.uint8)
        assert tally.scan(data, 0)[0] == 0
        record = parse_log_line(line)
        assert isinstance(record, HandRecord)
        assert tally.add_hand(record) == ()
    plain = Tally(HUNL, expectation=False)
    scanned(plain, [x.replace("Ann Lee", "A").replace("Bob: the second", "B") for x in lines])
    found = [line.counts.tolist() for line in tally.lines()]
    assert found == [line.counts.tolist() for line in plain.lines()]
    assert {line.player for line in tally.lines()} == {"Ann Lee", "Bob: the second"}


def test_an_illegal_hand_is_not_counted():
    """The reason comes back."""
    tally = Tally(HUNL)
    [reason] = tally.add_hand(parse_log_line("STATE:0:rf:5d5c|9hQd:50|-50:a|b"))
    assert "illegal action 1" in reason
    assert tally.lines() == []


def test_cards_that_decided_nothing_need_not_be_known():
    """Counts are those with any cards; a showdown of unknown ones is left out, and says so."""
    lines = hand_lines(HUNL, 4, 60)
    records = [parse_log_line(line) for line in lines]
    known, hidden = Tally(HUNL, expectation=False), Tally(HUNL, expectation=False)
    for record in records:
        holes, slash, board = record.cards.partition("/")
        secret = replace(record, cards="|" + slash + board if holes else "")
        reasons = hidden.add_hand(secret)
        if state_of_betting(HUNL, record.betting).showdown:
            assert reasons == ("a showdown of unknown cards",)
        else:
            assert reasons == ()
            assert known.add_hand(record) == ()
    assert 0 < known.hands < 60
    assert list(map(repr, hidden.lines())) == list(map(repr, known.lines()))
    assert not any(hidden.doubts)


def test_wrong_values_are_taken_as_printed():
    """Statistics are about what a log says: an all-in expectation log has its own values."""
    line = "STATE:0:r20000c///:5d5c|9hQd/8dAs8s/4h/6d:1135.183939|-1135.183939:p1|p2"
    tally = scanned(Tally(HUNL, expectation=False), [line])
    [one, two] = sorted(tally.lines(), key=lambda found: found.position)
    assert one.sums[b.SUM_RAW] == pytest.approx(11.35183939)
    assert two.sums[b.SUM_RAW] == pytest.approx(-11.35183939)
    assert one.counts[c.COUNT_SHOWDOWNS_WON] == 1


def test_progress_is_told_of_every_allin():
    """Expectations take long, so whoever waits hears of them."""
    heard = []
    tally = Tally(HUNL, progress=heard.append)
    scanned(tally, ["STATE:0:cc/cc/r20000c/:5d5c|9hQd/8dAs8s/4h/6d:-20000|20000:p1|p2"])
    tally.lines()
    assert heard == [1]


def test_one_signature_per_kernel(tmp_path):
    """Whatever is fed in, each kernel is compiled once."""
    from dealer.logs.verifying.verify import VerifySettings, verify_log
    from engine.handlogs.counting.tally_block import tally_block
    from engine.handlogs.reading.read_hand import read_hand
    from engine.handlogs.source.log_games import game_from_argument
    from engine.handlogs.verifying.verify_block import verify_block

    lines = random_log(HUNL, 4, 30, np.random.default_rng(1), names=("Ann Lee", "Bob"))
    log = tmp_path / "m.log"
    log.write_text("\n".join(lines) + "\n")
    game = game_from_argument("hunl")
    verify_log(log, VerifySettings(game=game, compiled=True))
    log.write_text("\n".join(lines[1:]))
    verify_log(log, VerifySettings(game=game, compiled=True))
    tally = scanned(Tally(HUNL, expectation=False), hand_lines(HUNL, 4, 30))
    tally.add_hand(parse_log_line(lines[5]))
    for compiled in (verify_block, tally_block, read_hand):
        assert len(compiled.signatures) <= 1


def test_hands_with_chips_of_their_own():
    """They count in their own big blinds; results kept one by one are scaled to the game's."""
    tally = Tally(HUNL, keep=True)
    tally.begin_session()
    expected = {}
    rows = []
    for level, (stacks, blinds) in enumerate([((900, 4000), (20, 10)), ((8000, 8000), (400, 200))]):
        game = replace(HUNL, stacks=stacks, blinds=blinds)
        hands = [parse_log_line(line) for line in hand_lines(game, level, 30)]
        for hand in hands:
            assert tally.add_hand(replace(hand, stakes=Stakes(stacks, blinds))) == ()
            own = count_hands(game, [hand])
            rows.append(
                [
                    (own[name, i]["raw"], own[name, i]["expected"])
                    for i, name in enumerate(hand.names)
                ]
            )
        for key, counted in count_hands(game, hands).items():
            total = expected.setdefault(key, dict.fromkeys(counted, 0))
            for what, count in counted.items():
                total[what] += count
    assert {DEPTH_NAMES[line.depth] for line in tally.lines()} == {"15-25", "25-50"}
    found = {}
    for line in tally.lines():
        counts, sums = found.get((line.player, line.position), (0, 0))
        found[line.player, line.position] = counts + line.counts, sums + line.sums
    for key, (counts, sums) in found.items():
        assert counts.tolist() == [expected[key][what] for what in ORDER]
        assert sums.tolist() == pytest.approx([expected[key][what] for what in SUMS], abs=1e-6)
    results = tally.results()
    assert results.pot.max() <= 2 * 200 * HUNL.big_blind
    in_big_blinds = np.stack([results.chips, results.expected], axis=2) / HUNL.big_blind
    assert in_big_blinds == pytest.approx(np.array(rows), abs=1e-6)
    assert tally.allins > 3
    assert tally.most_lost == 200 * HUNL.big_blind
    assert tally.hands == 60
    scanned(tally, hand_lines(HUNL, 9, 20))
    assert tally.most_lost == 20_000


@pytest.mark.parametrize("name", ["kuhn", "limit3", "hunl"])
def test_results_have_hand_and_pot(name):
    """The number that is printed, and what all put in."""
    game = load_builtin(name)
    tally = Tally(game)
    tally.begin_session()
    lines = hand_lines(game, 4, 40)
    scanned(tally, lines)
    results = tally.results()
    hands = [parse_log_line(line) for line in lines]
    assert results.hand.tolist() == [hand.hand_id for hand in hands]
    spent = [sorted(state_of_betting(game, hand.betting).spent) for hand in hands]
    assert results.pot.tolist() == [sum(chips[:-1]) + chips[-2] for chips in spent]


def test_impossible_payoffs_are_those_of_the_hands_own_stacks():
    """And a wrong number of stacks is why a hand is left out."""
    tally = Tally(HUNL)
    right = HandRecord(
        0, "f", "7d3d|2hAc", ("5", "-5"), ("Ann", "Bob"), None, Stakes((90, 90), (10, 5))
    )
    assert tally.add_hand(right) == ()
    assert tally.add_hand(replace(right, values=("95", "-95"))) == ()
    assert tally.doubts.impossible == 1
    (reason,) = tally.add_hand(replace(right, stakes=Stakes((90,), (10, 5))))
    assert "1 stacks" in reason
    assert tally.hands == 2
