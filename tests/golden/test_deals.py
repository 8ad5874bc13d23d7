"""The deals of the original dealer, recorded as hashes over thousands of hands per seed."""

import csv
import hashlib
import json

import numpy as np
import pytest

from engine.rules.dealing import Deal, DealStream
from engine.rules.dealing_blocks import deal_arrays
from protocol.cards import format_cards, parse_cards
from protocol.gamedef import parse_gamedef

RECORDED_AS = {"leduc.game": "leduc.limit.2p.game"}


def line_of(game, deal):
    """One deal as in the recordings: hole cards, then the new board cards of each street."""
    text = "|".join(map(format_cards, deal.holes))
    seen = 0
    for street in range(game.streets):
        new = deal.board[seen : game.board_seen(street)]
        text += ("/" if street else "") + format_cards(new)
        seen = game.board_seen(street)
    return text


def digest(lines):
    """SHA-256 over numbered lines, the form in which the recordings were hashed."""
    text = "".join(f"{number}:{line}\n" for number, line in enumerate(lines))
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(scope="module")
def recorded_deals(shared_data):
    """Rows (game, seed, hands, first, last, digest)."""
    folder = shared_data / "golden"
    with (folder / "deal_golden.csv").open() as file:
        rows = list(csv.DictReader(file))
    return [
        (
            parse_gamedef(
                (folder / "games" / RECORDED_AS.get(row["game"], row["game"])).read_bytes()
            ),
            row,
        )
        for row in rows
    ]


def test_streams_deal_the_recorded_hands(recorded_deals):
    """First, last and all 3000 deals of seven games and six seeds, the extreme ones included."""
    for game, row in recorded_deals:
        stream = DealStream(game, int(row["seed"]))
        lines = [line_of(game, next(stream)) for _ in range(int(row["hands"]))]
        assert lines[0] == row["first_deal"]
        assert lines[-1] == row["last_deal"]
        assert digest(lines) == row["sha256_of_all_lines"]


def test_bulk_dealing_deals_the_same(recorded_deals):
    """deal_arrays agrees with the stream on every recorded game and seed."""
    for game, row in recorded_deals[::5]:
        holes, board = deal_arrays(game, int(row["seed"]), int(row["hands"]))
        lines = [
            line_of(game, Deal(tuple(map(tuple, hole)), tuple(cards)))
            for hole, cards in zip(holes.tolist(), board.tolist(), strict=True)
        ]
        assert digest(lines) == row["sha256_of_all_lines"]


def test_deals_of_the_six_player_sessions(shared_data):
    """Published sessions were dealt with the session number as seed."""
    folder = shared_data / "pluribus"
    game = parse_gamedef((folder / "holdem.nolimit.6p.10000.game").read_bytes())
    with (folder / "deal_hashes.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 60
    for row in rows:
        stream = DealStream(game, int(row["seed"]))
        lines = [line_of(game, next(stream)) for _ in range(int(row["max_hand_index"]) + 1)]
        assert digest(lines) == row["sha256_of_deals_0_to_max"]


def test_raw_outputs_and_first_hands(shared_data):
    """Recorded generator outputs are numpy's, and the listed hands are dealt from them."""
    folder = shared_data / "golden"
    game = parse_gamedef((folder / "games/holdem.nolimit.2p.reverse_blinds.game").read_bytes())
    recorded = json.loads((folder / "golden/cards/card_sequences.json").read_text())
    for seed, case in recorded.items():
        outputs = np.random.RandomState(int(seed)).randint(0, 2**32, size=20, dtype=np.uint32)
        assert outputs.tolist() == case["first_20_mt19937_outputs"]
        for hand, deal in zip(case["hands"], DealStream(game, int(seed)), strict=False):
            assert deal.holes == (parse_cards(hand["position0"]), parse_cards(hand["position1"]))
            assert deal.board == parse_cards(hand["flop"] + hand["turn"] + hand["river"])
