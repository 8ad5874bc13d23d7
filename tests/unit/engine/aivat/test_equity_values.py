"""Value functions of pot and equity: their lines, their files, and that they are means of means."""

from __future__ import annotations

import numpy as np
import pytest

from engine.aivat.equity_values import (
    CHECKED_DOWN,
    KINDS,
    SHAPE,
    EquityValues,
    kind_of_place,
    load_values,
    save_values,
    shipped_values,
)
from engine.aivat.fitting import fit_lines
from engine.aivat.hands import HoldemHands
from engine.aivat.value_function import Opposition
from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBOS
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LINES = np.random.default_rng(1).normal(size=(KINDS, 2)).astype(np.float32)


@pytest.mark.parametrize(
    ("betting", "kind"),
    [
        ("", (0, 1, 2, 0, 0, 0)),
        ("r300", (0, 0, 3, 2, 1, 0)),
        ("r300c/", (1, 0, 0, 2, 0, 2)),
        ("r300r900c/cr1800", (1, 0, 2, 4, 1, 1)),
        ("cc/cc/cc/", (3, 0, 0, 1, 0, 0)),
        ("r20000", (0, 0, 4, 7, 1, 0)),
    ],
)
def test_kinds_of_places(betting, kind):
    """Street, actor, call, pot, raises, aggressor."""
    state = replay_betting(HUNL, betting)
    assert np.unravel_index(kind_of_place(state), SHAPE) == kind


def test_a_hand_that_is_over_has_no_kind():
    """Its value is known."""
    with pytest.raises(ValueError, match="over"):
        kind_of_place(replay_betting(HUNL, "f"))


@pytest.mark.parametrize("values", [CHECKED_DOWN, EquityValues(LINES, "random")], ids=["down", "r"])
def test_both_players_see_the_same_chips(values):
    """What one wins the other loses: for each pair of hands, so for all together."""
    hands = HoldemHands()
    rng = np.random.default_rng(2)
    board = (0, 5, 13, 30)
    live = hands.unblocked(board)
    one, other = (np.where(live, rng.random(COMBOS), 0.0) for _ in range(2))
    state = replay_betting(HUNL, "r300c/cc/cr600")
    mine = one @ values.worth(state, Opposition(hands, other, board, 0))
    theirs = other @ values.worth(state, Opposition(hands, one, board, 1))
    assert mine == pytest.approx(-theirs)


@pytest.mark.parametrize("values", [CHECKED_DOWN, EquityValues(LINES, "random")], ids=["down", "r"])
def test_before_a_card_a_pair_is_worth_the_mean_over_the_cards(values):
    """From the turn on: all 44 rivers, dealt one by one."""
    hands = HoldemHands()
    board = (0, 5, 13, 30)
    held = np.zeros((2, COMBOS))
    own, other = hands.number((51, 46)), hands.number((20, 25))
    held[0, own] = held[1, other] = 1.0
    state = replay_betting(HUNL, "r300c/cc/cc/")
    assert state.street == 3
    before = values.worth_before_cards(state, Opposition(hands, held[1], board, 0))[own]
    rivers = [c for c in range(52) if c not in (*board, 51, 46, 20, 25)]
    after = [
        values.worth(state, Opposition(hands, held[1], (*board, card), 0))[own] for card in rivers
    ]
    assert len(after) == 44
    assert before == pytest.approx(np.mean(after))


def test_a_file_comes_back_and_its_digest_names_it(tmp_path):
    """Another line, another digest."""
    path = tmp_path / "v.values"
    save_values(path, LINES, {"hands": 5})
    values = load_values(path)
    assert (values.lines == LINES).all()
    assert len(values.digest) == 64
    other = LINES.copy()
    other[0, 0] += 1
    save_values(path, other, {"hands": 5})
    assert load_values(path).digest != values.digest


def test_damaged_files_are_refused(tmp_path):
    """With the command that makes a good one."""
    path = tmp_path / "v.values"
    save_values(path, LINES, {})
    whole = path.read_bytes()
    for damaged in (b"", whole[:-9], whole[:-1] + bytes([whole[-1] ^ 1]), b"text"):
        path.write_bytes(damaged)
        with pytest.raises(ArtifactMismatch, match="arena aivat fit"):
            load_values(path)
    save_values(path, LINES[:5], {})
    with pytest.raises(ArtifactMismatch, match="damaged"):
        load_values(path)


@pytest.mark.parametrize("no_limit", [True, False])
def test_values_come_along(no_limit):
    """A pot with the better hand is worth more than without."""
    values = load_values(shipped_values(no_limit=no_limit))
    common = values.lines.reshape(*SHAPE, 2)[:, :, 0, 1]
    assert (common[..., 1] > 0).mean() > 0.9


def test_lines_are_found_again():
    """Of hands made up by a line; what is seen rarely leans on its neighbours."""
    rng = np.random.default_rng(4)
    kind = kind_of_place(replay_betting(HUNL, "r300c/"))
    near = kind_of_place(replay_betting(HUNL, "r900c/"))
    edges = rng.uniform(-1, 1, 20000)
    won = 0.2 + 0.9 * edges + rng.normal(size=20000)
    kinds = np.full(20000, kind)
    kinds[:20] = near
    lines = fit_lines(kinds, edges, won, np.full(20000, 6.0))
    assert lines[kind] == pytest.approx([0.2, 0.9], abs=0.05)
    assert lines[near] == pytest.approx([0.2, 0.9], abs=0.4)
    far = kind_of_place(HandState.start(HUNL))
    assert lines[far] == pytest.approx([0.0, 0.5], abs=0.01)


def test_wrong_samples_are_refused():
    """Shapes and kinds."""
    ones = np.ones(3)
    with pytest.raises(ValueError, match="four times"):
        fit_lines(np.zeros(3, np.int64), ones, ones[:2], ones)
    with pytest.raises(ValueError, match="want 0"):
        fit_lines(np.full(3, KINDS), ones, ones, ones)
    with pytest.raises(ValueError, match="lines"):
        EquityValues(LINES[:4], "short")
    for wrong in (np.nan, 3e38, -101):
        with pytest.raises(ValueError, match="up to 100"):
            EquityValues(np.full_like(LINES, wrong), "wrong")
