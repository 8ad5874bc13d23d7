"""The scripts of the pages know the rules: they show of every hand what the engine says of it."""

import argparse
import itertools

import numpy as np
import pytest

from dealer.logs.hand_filter import FILTERS as HAND_FILTERS
from dealer.logs.hand_filter import HandFilter
from dealer.logs.showing.hand_documents import game_document
from engine.equity.allin import allin_expectation
from engine.equity.equity import exact_hand_equity
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_games import FoundGame, game_from_argument
from engine.handlogs.source.log_hands import hands_of
from engine.rules.positions import position_names
from engine.rules.pots import called
from engine.showdown.evaluator import strength
from engine.showdown.hand_check import check_hand
from protocol.errors import MalformedLogLine
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import builtin_names, load_builtin
from protocol.handlog import HandRecord, format_hand, parse_log_line
from tests.helpers.page_scripts import run_script
from tests.helpers.random_logs import random_log

ODD_GAMES = {
    "short stacks": "nolimit\nnumPlayers = 5\nnumRounds = 4\nstack = 90 300 40 1000 77\n"
    "blind = 5 10 0 0 0\nfirstPlayer = 3 1 1 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
    "numBoardCards = 0 3 1 1",
    "board at once": "limit\nnumPlayers = 2\nnumRounds = 2\nblind = 5 10\nraiseSize = 10 20\n"
    "firstPlayer = 1 2\nmaxRaises = 3 3\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 3\n"
    "numBoardCards = 2 3",
    "ten with antes": "nolimit\nnumPlayers = 10\nnumRounds = 3\n"
    "stack = 50 60 70 80 90 100 110 120 130 5\nblind = 5 5 5 5 5 5 5 5 5 5\nfirstPlayer = 4\n"
    "numSuits = 4\nnumRanks = 13\nnumHoleCards = 1\nnumBoardCards = 0 2 0",
}
REAL_LOGS = {
    "deepstack/hands.log": "hunl",
    "pluribus/sample_game_106.log": "nolimit6-10000",
    "dealer_logs/3p.nolimit.h1000.r0.log": None,
    "dealer_logs/2p.limit.h1000.r0.log": None,
}
MOST = 300
"""Hands compared step by step of a log."""
FILTERS = [
    [],
    ["--hands", "3,10-400"],
    ["--street", "river", "--showdown"],
    ["--no-showdown", "--pot", "6"],
    ["--won", "10"],
    ["--lost", "7.5", "--position", "BB"],
    ["--off-menu", "0.5,1"],
    ["--off-menu", "0.75", "--position", "P2"],
    ["--pot", "20", "--street", "2", "--off-menu", "2"],
]
STEPS = """
import { boardAt, parseHand } from "./shared/hand.js";
function main(logs) {
  return logs.map(({ game, lines }) => lines.map((line) => {
    const hand = parseHand(game, line);
    return {
      fault: hand.fault, hand: hand.hand, names: hand.names, values: hand.values, holes: hand.holes,
      steps: hand.steps.map((step) => ({ ...step, board: boardAt(hand, step).flat() })),
    };
  }));
}
"""
CHOSEN = """
import { HandTable } from "./shared/filters.js";
function main(logs) {
  return logs.map(({ game, lines, filters }) => {
    const table = new HandTable(game);
    table.add(lines);
    return filters.map((wanted) => Array.from(table.select(wanted)));
  });
}
"""


def random_lines(game, hands):
    """Return STATE lines of random hands."""
    lines = random_log(game, 11, hands, np.random.default_rng(5))
    return [line for line in lines if line.startswith("STATE:")]


def small_logs():
    """Return (game, STATE lines) of every built-in game and some odd ones."""
    games = [load_builtin(name) for name in builtin_names()]
    games += [parse_gamedef(text) for text in ODD_GAMES.values()]
    return [(game, random_lines(game, 60)) for game in games]


def real_logs(shared_data, most):
    """Return (game, STATE lines) of logs of real matches."""
    found = []
    for name, game in REAL_LOGS.items():
        given = None if game is None else game_from_argument(game)
        hands = hands_of(shared_data / name, given, Complaints(pytest.fail))
        taken = list(itertools.islice(hands, most))
        found.append((taken[0].game, [format_hand(hand.record) for hand in taken]))
    return found


def expected_steps(game, line):
    """Return what should be shown of each action: kind, position and the table after it."""
    report = check_hand(game, parse_log_line(line))
    antes = game.blinds if len(set(game.blinds)) == 1 else (0,) * game.players
    starts = {}
    for before, _, _ in report.state.steps():
        starts.setdefault(before.street, before.spent if before.street else antes)
    return [
        {
            "street": before.street,
            "position": before.actor,
            "kind": action.kind,
            "amount": after.spent[before.actor] - before.spent[before.actor],
            "to": after.spent[before.actor] - starts[before.street][before.actor],
            "allIn": before.spent[before.actor]
            < after.spent[before.actor]
            == game.stacks[before.actor],
            "pot": after.pot,
            "spent": list(after.spent),
            "stacks": [a - b for a, b in zip(game.stacks, after.spent, strict=True)],
            "folded": list(after.folded),
            "actor": after.actor if after.street == before.street and not after.over else None,
            "board": list(report.cards.board[: game.board_seen(before.street)]),
        }
        for before, action, after in report.state.steps()
    ]


def compare(logs):
    """Check that the scripts' steps are the engine's, action by action; return how many."""
    asked = [{"game": game_document("g", game), "lines": lines} for game, lines in logs]
    compared = 0
    for (game, lines), hands in zip(logs, run_script(STEPS, asked), strict=True):
        for line, hand in zip(lines, hands, strict=True):
            record = parse_log_line(line)
            assert (hand["fault"] is None) == (check_hand(game, record).state is not None)
            if hand["fault"] is not None:
                continue
            assert hand["hand"] == record.hand_id
            assert hand["names"] == list(record.names)
            assert hand["values"] == list(map(float, record.values))
            steps = hand["steps"]
            acts = [step for step in steps if step["kind"] not in ("deal", "return", "end")]
            letters = {"fold": "f", "check": "c", "call": "c", "bet": "r", "raise": "r"}
            for expected, step in zip(expected_steps(game, line), acts, strict=True):
                shown = {name: step[name] for name in expected} | {"kind": letters[step["kind"]]}
                assert shown == expected, (line, step)
                assert (step["kind"] in ("check", "fold")) == (step["amount"] == 0)
                compared += 1
            check_deals(game, record, steps)
    return compared


def check_deals(game, record, steps):
    """Check what lies on the table at deals and at the end."""
    first, last = steps[0], steps[-1]
    antes = len(set(game.blinds)) == 1
    assert (first["kind"], any(first["bets"])) == ("deal", not antes)
    assert (first["pot"], first["spent"]) == (sum(game.blinds), list(game.blinds))
    report = check_hand(game, record)
    assert last["board"] == list(report.cards.board)
    left = [stack + float(value) for stack, value in zip(game.stacks, record.values, strict=True)]
    assert last["stacks"] == pytest.approx(left)
    assert (last["pot"], steps[-2]["pot"]) == (0, called(report.state.spent))
    returns = [step for step in steps if step["kind"] == "return"]
    assert sum(step["amount"] for step in returns) == report.state.pot - called(report.state.spent)
    for step in returns:
        assert (
            step["stacks"][step["position"]] + step["spent"][step["position"]]
            == (game.stacks[step["position"]])
        )
    for before, step in itertools.pairwise(steps):
        if step["kind"] in ("deal", "end"):
            assert step["spent"] == before["spent"]
            assert not any(step["bets"])
    for step in steps[:-1]:
        assert sum(step["spent"]) == step["pot"]
    dealt = [step["street"] for step in steps if step["kind"] == "deal"]
    assert dealt == list(range(record.cards.count("/") + 1))


def test_steps_are_those_of_the_engine_in_all_games():
    """Pots, stacks, bets, boards and who acts next: all games, 2 to 10 players."""
    assert compare(small_logs()) > 3000


def test_steps_are_those_of_the_engine_on_real_logs(shared_data):
    """The same on logs of DeepStack, Pluribus and the original dealer."""
    assert compare(real_logs(shared_data, MOST)) > 3000


def wanted_of(options):
    """Return what the page's form would say for options of the command line."""
    wanted = {
        name: getattr(options, name)
        for name in ("player", "position", "won", "lost", "street", "showdown", "pot")
    } | {"offMenu": options.off_menu}
    if options.hands is not None:
        wanted["hands"] = [[part.start, part.stop - 1] for part in options.hands]
    return {name: value for name, value in wanted.items() if value is not None}


def check_filters(logs):
    """Check that the scripts choose the same hands as `arena replay`; return how many."""
    parser = argparse.ArgumentParser()
    HAND_FILTERS.add_to(parser)
    asked, expected = [], []
    for game, lines in logs:
        records = [parse_log_line(line) for line in lines]
        words = [*FILTERS, ["--player", records[0].names[0], "--position", "SB", "--won", "0.5"]]
        options = [parser.parse_args(argv) for argv in words]
        filters = list(map(wanted_of, options))
        asked.append({"game": game_document("g", game), "lines": lines, "filters": filters})
        for one in options:
            chosen = HandFilter(one)
            rows = [row for row, record in enumerate(records) if chosen.passes(game, record)]
            expected.append(rows)
    found = list(itertools.chain.from_iterable(run_script(CHOSEN, asked)))
    assert found == expected
    return sum(map(len, found))


def test_filters_choose_what_the_command_chooses():
    """Hand by hand, in all games; hands that break the rules pass as they do there."""
    logs = small_logs()
    game = load_builtin("hunl")
    lines = random_lines(game, 30)
    lines += [line.replace(":r", ":r1") for line in lines]
    lines.append("STATE:1:10|10:20|20:c:AsAc|KsKc:0|0:a|b")
    logs.append((game, lines))
    assert check_filters(logs) > 1000


def test_filters_choose_the_same_on_real_logs(shared_data):
    """The same on logs of real matches."""
    assert check_filters(real_logs(shared_data, 1000)) > 3000


RECORDS = """
import { parseRecord } from "./shared/hand.js";
import { HandError } from "./shared/rules.js";
function main(lines) {
  return lines.map((line) => {
    try {
      return parseRecord(line);
    } catch (error) {
      if (!(error instanceof HandError)) throw error;
      return null;
    }
  });
}
"""


def record_document(line):
    """Return what `parseRecord` should say of a line."""
    try:
        record = parse_log_line(line)
    except MalformedLogLine:
        return None
    if not isinstance(record, HandRecord):
        return None
    stakes = record.stakes
    return {
        "hand": record.hand_id,
        "stacks": None if stakes is None else list(stakes.stacks),
        "blinds": None if stakes is None else list(stakes.blinds),
        "betting": record.betting,
        "cards": record.cards,
        "values": list(map(float, record.values)),
        "names": list(record.names),
    }


def test_damaged_lines_are_read_alike():
    """What is no hand to the dealer's reader is none to the page, whatever was changed."""
    rng = np.random.default_rng(3)
    whole = [
        *random_lines(load_builtin("hunl"), 20),
        "STATE:7:20150|19850:300|150:r750f:AsKd|2c3d:300|-300:a # b|c:d|e # 1478520223.88",
        "STATE:7::AsKd|2c3d:0|0:a\u2028b|\U0001f0a1\r",
    ]
    pieces = [*"0:|/frc-.#e+ \u0660AsTd", "||", "STATE:", "r99999999999", "1e+30", "\u2029", "\r"]
    lines = list(whole)
    for line in whole:
        for _ in range(80):
            at, until = sorted(rng.integers(len(line) + 1, size=2))
            until = min(until, at + rng.integers(4))
            lines.append(line[:at] + pieces[rng.integers(len(pieces))] + line[until:])
    lines = [line for line in lines if "\n" not in line]
    expected = list(map(record_document, lines))
    assert run_script(RECORDS, lines) == expected
    assert 100 < sum(one is None for one in expected) < len(lines) - 100


EQUITIES = """
import { strength } from "./shared/cards.js";
import { equity } from "./replay/equity.js";
function main({ game, spots, hands }) {
  return [
    spots.map(([holes, dead, board]) => equity(game, holes, dead, board)),
    hands.map(strength),
  ];
}
"""


def test_equities_and_strengths_are_those_of_the_engine():
    """Exact, on every street, for 2 to 6 hands; cards of folded hands cannot come."""
    game = load_builtin("hunl")
    rng = np.random.default_rng(7)
    spots, expected = [], []
    for players, seen in [*itertools.product((2, 3, 6), (3, 4, 5)), (2, 0)]:
        deck = rng.permutation(52).tolist()
        holes = [deck[2 * at : 2 * at + 2] for at in range(players)]
        board = deck[40 : 40 + seen]
        spots.append((holes, [], board))
        shares = exact_hand_equity(holes, board)
        expected.append([(one.win, one.tie, one.equity) for one in shares])
    hands = [rng.permutation(52)[: rng.integers(1, 11)].tolist() for _ in range(5000)]
    document = {"game": game_document("g", game), "spots": spots, "hands": hands}
    equities, strengths = run_script(EQUITIES, document)
    found = [[(one["win"], one["tie"], one["equity"]) for one in spot] for spot in equities]
    for one, other in zip(found, expected, strict=True):
        assert np.array(one) == pytest.approx(np.array(other), abs=1e-12)
    assert strengths == [strength(cards) for cards in hands]


@pytest.mark.parametrize("name", ["holdem.nolimit.3p", "leduc.limit.3p"])
def test_folded_cards_are_out_of_the_deck(name):
    """Equities with a folded hand are those that all-in expectations are made of."""
    game = load_builtin(name)
    rng = np.random.default_rng(9)
    spots, expected = [], []
    for street in range(1 if game.is_holdem else 0, game.streets):
        deck = rng.permutation(game.deck).tolist()
        holes = [[deck.pop() for _ in range(game.hole_cards)] for _ in range(3)]
        board = [deck.pop() for _ in range(game.board_seen(street))]
        spots.append((holes[:2], holes[2], board))
        means = allin_expectation(game, (6, 6, 0), (False, False, True), holes, board)
        expected.append([(mean + 6) / 12 for mean in means[:2]])
    document = {"game": game_document("g", game), "spots": spots, "hands": []}
    equities, _ = run_script(EQUITIES, document)
    found = [[one["equity"] for one in spot] for spot in equities]
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-12)


POSITIONS = """
import { positionNames } from "./shared/rules.js";
function main(games) {
  return games.map((game) => positionNames(game, game.blinds));
}
"""


def test_positions_have_their_usual_names():
    """As the engine names them, in games with and without the usual blinds."""
    texts = [
        f"nolimit\nnumPlayers = {players}\nnumRounds = 2\n"
        f"blind = {' '.join(['5', '10', *['0'] * (players - 2)])}\nfirstPlayer = {first} {later}\n"
        "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3"
        for players in range(2, 11)
        for first, later in ((1, 1), (2, 1), (1, 2))
    ]
    games = [parse_gamedef(text) for text in texts] + [game for game, _ in small_logs()]
    found = run_script(POSITIONS, [game_document("g", game) for game in games])
    assert found == [list(position_names(game)) for game in games]


def test_a_game_found_beside_a_log_has_all_that_pages_need(shared_data):
    """The document of a game is complete: hands of a game file unknown to the program are read."""
    path = shared_data / "golden/games/extra/leduc.nolimit.2p.game"
    game = parse_gamedef(path.read_bytes())
    found = FoundGame(game, path.name, path)
    log = shared_data / "golden/golden/logs_small/leduc.nolimit.2p.s7.log"
    hands = list(hands_of(log, found, Complaints(pytest.fail)))
    assert compare([(game, [format_hand(hand.record) for hand in hands])]) > 500
