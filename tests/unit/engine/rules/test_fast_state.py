import numba
import numpy as np
import pytest

from engine.rules import fast_state as fast
from engine.rules.packed_game import pack_game
from protocol.gamedefs import load_builtin

HUNL = load_builtin("holdem.nolimit.2p.reverse_blinds")
LIMIT = load_builtin("holdem.limit.2p.reverse_blinds")


def read(text, game=HUNL):
    """Replay one text; return status, offset and the hand's row."""
    found = fast.replay(game, text.encode(), [0], [len(text)])
    return int(found.status[0]), int(found.stopped_at[0]), found.hands[0]


@pytest.mark.parametrize(
    ("text", "status", "offset"),
    [
        ("cx", fast.MALFORMED, 1), ("cr", fast.MALFORMED, 2), ("crc", fast.MALFORMED, 2),
        ("r0300c", fast.MALFORMED, 1), ("r-300", fast.MALFORMED, 1), ("c\n", fast.MALFORMED, 1),
        ("r199", fast.ILLEGAL, 0), ("r20001", fast.ILLEGAL, 0),
        ("r99999999999999999999999999", fast.ILLEGAL, 0),
        ("r18446744073709551916", fast.ILLEGAL, 0), ("cc/f", fast.ILLEGAL, 3),
        ("r300fc", fast.ILLEGAL, 5), ("cc/cc/cc/ccc", fast.ILLEGAL, 11),
        ("ccc", fast.MISPLACED_SLASH, 2), ("cc", fast.MISPLACED_SLASH, 2),
        ("c/c", fast.MISPLACED_SLASH, 1), ("cc//cc", fast.MISPLACED_SLASH, 3),
        ("r20000c//", fast.MISPLACED_SLASH, 9), ("r300f/", fast.MISPLACED_SLASH, 5),
    ],
)  # fmt: skip
def test_faults_are_named_and_placed(text, status, offset):
    """Status and the first byte that does not fit."""
    assert read(text)[:2] == (status, offset)


def test_limit_raises_have_no_size():
    """A size in a limit game is malformed, the fifth bet illegal."""
    assert read("rrrc/", LIMIT)[:2] == (fast.READ, 5)
    assert read("r30c/", LIMIT)[:2] == (fast.MALFORMED, 1)
    assert read("rrrr", LIMIT)[:2] == (fast.ILLEGAL, 3)


@pytest.mark.parametrize(
    ("text", "status", "taken"),
    [
        ("cr300c/cc/", fast.READ, "call 1 0 0,raise 0 0 300,call 1 0 0,check 0 1 0,check 1 1 0"),
        ("r20000c///", fast.READ, "raise 1 0 20000,call 0 0 0"),
        ("cc/r200f", fast.READ, "call 1 0 0,check 0 0 0,raise 0 1 200,fold 1 1 0"),
        ("cc/f", fast.ILLEGAL, "call 1 0 0,check 0 0 0"),
    ],
)
def test_played_texts_leave_a_trace(text, status, taken):
    """Kind, position, street and size of every legal action; a row's other columns stay."""
    hand = np.full(fast.HAND_WIDTH + 2, 7, np.int64)
    trace = np.zeros(fast.MAX_TRACE, np.int64)
    data = np.frombuffer(text.encode(), np.uint8)
    assert fast.play_betting(pack_game(HUNL), data, 0, len(text), hand, trace)[0] == status
    kinds = {
        fast.TRACE_FOLD: "fold",
        fast.TRACE_CHECK: "check",
        fast.TRACE_CALL: "call",
        fast.TRACE_RAISE: "raise",
    }
    written = trace[: hand[fast.TAKEN]].tolist()
    told = []
    for entry in written:
        action = kinds[fast.trace_kind(entry)], fast.trace_actor(entry), fast.trace_street(entry)
        told.append(" ".join(map(str, (*action, fast.trace_raise_to(entry)))))
    assert ",".join(told) == taken
    assert hand[fast.HAND_WIDTH :].tolist() == [7, 7]


@pytest.mark.parametrize(
    ("starts", "stops"), [([0], [9]), ([-1], [1]), ([2], [1]), ([0, 1], [1]), ([[0]], [[1]])]
)
def test_spans_are_checked(starts, stops):
    """Kernels trust their arguments, so the doorstep must not."""
    with pytest.raises(ValueError):
        fast.replay(HUNL, b"cc/", starts, stops)


def test_no_hands():
    """Nothing in, nothing out."""
    assert fast.replay(HUNL, b"", [], []).hands.shape == (0, fast.HAND_WIDTH)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_kernels_are_compiled_once():
    """Call sites agree on types."""
    read("cc/")
    assert len(fast._replay.signatures) == 1
