"""What the network sees, against planes made cell by cell from the rules' own states."""

import numpy as np
import pytest

from agents.poker_cnn.encoding_kernels import ROWS_OF_SUITS
from agents.poker_cnn.hand_kernels import HandRows, StateRows, encode_states, new_replay
from agents.poker_cnn.planes import ESTIMATE, HOLE, KNOWN, OTHERS, PLANES, SIDE, STREET
from agents.poker_cnn.reading import collect_records
from engine.equity.equity_tables import TOP_LEVEL, equity_level
from engine.rules.packed_game import pack_game
from protocol.gamedefs import load_builtin
from tests.helpers.cnn_records import decisions_of, records_of
from tests.oracles.cnn_planes import slow_planes

GAMES = ["hunl", "hulhe", "limit3", "nolimit3"]


def encoded(records, chosen=None, suits=ROWS_OF_SUITS):
    """Return planes, what is legal and what was done of some decisions, or all."""
    chosen = np.arange(len(records)) if chosen is None else np.array(chosen)
    count = len(chosen)
    planes = np.full((count, PLANES, SIDE, SIDE), 7, np.float32)
    legal, taken = np.zeros((count, 3), np.float32), np.zeros(count, np.int64)
    encode_states(
        pack_game(records.game), HandRows(records.cards, records.actions, records.ends),
        StateRows(records.hands[chosen], records.places[chosen], records.levels[chosen]),
        np.tile(np.array(suits), (count, 1)), new_replay(), planes, legal, taken,
    )  # fmt: skip
    return planes, legal, taken


@pytest.mark.parametrize("name", GAMES)
def test_every_cell_is_as_the_rules_say(name, tmp_path):
    """On all streets, in all positions, in limit and no-limit games for two and three."""
    game = load_builtin(name)
    records = records_of(tmp_path, game)
    planes, legal, taken = encoded(records)
    seen = set()
    decisions = list(decisions_of(tmp_path / "one.log", game))
    assert len(decisions) == len(records)
    for at, (number, state, hole, board, action) in enumerate(decisions):
        level = equity_level(hole, board)
        assert (records.hands[at], records.levels[at]) == (number, level)
        wanted = slow_planes(state, hole, board, level / TOP_LEVEL)
        np.testing.assert_allclose(planes[at], wanted, atol=1e-6)
        assert legal[at].tolist() == [state.to_call > 0, 1, state.raise_range() is not None]
        assert "fcr"[taken[at]] == action.kind
        seen.add((state.street, state.actor))
    assert seen == {(street, actor) for street in range(4) for actor in range(game.players)}


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_seen_that_the_player_cannot_see(name, tmp_path):
    """Others' cards, the board to come, later actions and the result change no cell."""
    game = load_builtin(name)
    records = records_of(tmp_path, game)
    before, _, _ = encoded(records)
    begins = np.concatenate(([0], records.ends[:-1]))
    for at, (_, state, hole, board, _) in enumerate(decisions_of(tmp_path / "one.log", game)):
        number = records.hands[at]
        kept = records.cards[number].copy(), records.won[number].copy()
        hidden = [card for card in range(52) if card not in (*hole, *board)]
        row = records.cards[number]
        for place in range(len(row)):
            own = place // 2 == state.actor and place < 2 * game.players
            on_board = 0 <= place - 2 * game.players < len(board)
            if not own and not on_board:
                row[place] = hidden.pop()
        later = slice(begins[number] + int(records.places[at]) + 1, records.ends[number])
        actions = records.actions[later].copy()
        records.actions[later] = 1
        records.won[number] = 12345
        changed, _, _ = encoded(records, [at])
        assert (changed[0] == before[at]).all()
        records.cards[number], records.won[number] = kept
        records.actions[later] = actions


def test_the_example_of_the_article(tmp_path):
    """Nine and eight of spades are at (1, 1, 8) and (2, 1, 7), counted from 1."""
    path = tmp_path / "one.log"
    path.write_text("STATE:0:cr300f:8s9s|2c2d:-100|100:a|b\n", encoding="utf-8")
    records, _ = collect_records([path], "a", load_builtin("hunl"))
    planes, _, _ = encoded(records)
    assert np.argwhere(planes[0, HOLE]).tolist() == [[0, 7]]
    assert np.argwhere(planes[0, HOLE + 1]).tolist() == [[0, 6]]
    assert np.argwhere(planes[0, KNOWN]).tolist() == [[0, 6], [0, 7]]


def test_an_estimate_by_hand(tmp_path):
    """A limp keeps two thirds of all hands, a raise of the pot then half of these."""
    path = tmp_path / "one.log"
    path.write_text("STATE:0:cr300r900f:8s9s|2c2d:-300|300:a|b\n", encoding="utf-8")
    records, _ = collect_records([path], "a", load_builtin("hunl"))
    planes, _, _ = encoded(records)
    assert planes[0, ESTIMATE, 3, 3] == pytest.approx(1 - (1 / 1.5) / 2)
    # 300 to be matched, 600 in the pot after the call: the raise to 900 adds another 600
    assert planes[1, ESTIMATE, 3, 3] == pytest.approx(1 - (1 / 1.5) / 2 / 2)
    assert planes[1, OTHERS, :, 1].sum() == 2 + 4
    assert planes[1, STREET, 8:].sum() == 0


def test_suits_may_be_exchanged(tmp_path):
    """Rows of cards move, nothing else does."""
    records = records_of(tmp_path, load_builtin("hunl"))
    plain, _, _ = encoded(records)
    turned, _, _ = encoded(records, suits=(1, 3, 0, 2))
    for suit in range(4):
        rows = plain[:, KNOWN, ROWS_OF_SUITS[suit]], turned[:, KNOWN, (1, 3, 0, 2)[suit]]
        assert (rows[0] == rows[1]).all()
    assert (plain[:, STREET:] == turned[:, STREET:]).all()
    assert (plain[:, : KNOWN + 1] != turned[:, : KNOWN + 1]).any()


def test_many_actions_fit(tmp_path):
    """A raising war of minimum raises fills the columns and goes on."""
    game = load_builtin("hunl")
    sizes = range(200, 200 + 100 * 60, 100)
    betting = "".join(f"r{size}" for size in sizes)
    path = tmp_path / "one.log"
    path.write_text(
        f"STATE:0:{betting}f:8s9s|2c2d:{-sizes[-2]}|{sizes[-2]}:a|b\n", encoding="utf-8"
    )
    records, cleaning = collect_records([path], "everyone", game)
    planes, _, _ = encoded(records)
    assert (len(records), cleaning.dropped) == (61, 0)
    assert np.isfinite(planes).all()
    assert planes[-1, OTHERS, 0].tolist() == [1.0] * SIDE
