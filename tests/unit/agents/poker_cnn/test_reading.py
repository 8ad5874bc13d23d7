"""Match logs as records: all dialects, whoever is learned from, and nothing dropped in silence."""

import numpy as np
import pytest

from agents.errors import TrainingError
from agents.poker_cnn.cnn_records import CnnRecords
from agents.poker_cnn.hand_kernels import UNKNOWN
from agents.poker_cnn.packing import PackedHands
from agents.poker_cnn.reading import EVERYONE, WINNER, collect_records
from engine.errors import LogError
from protocol.gamedefs import load_builtin
from tests.helpers.cnn_records import log_of

HUNL = load_builtin("hunl")
ARRAYS = ("cards", "actions", "ends", "won", "sessions", "hands", "places", "levels")
GOOD = "STATE:0:cr300c/cr900f:8s9s|2c2d/3h4h5h:-300|300:Ann|Bob"


def same(one, other):
    """Whether two sets of records hold the same hands and decisions."""
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)


def written(folder, *lines, name="one.log"):
    """Write a log of some lines; return its path."""
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["hunl", "hulhe", "limit3", "nolimit3"])
def test_lines_read_in_bulk_are_those_read_one_by_one(name, tmp_path, monkeypatch):
    """The compiled way and the readable one give the same bits."""
    game = load_builtin(name)
    path = log_of(tmp_path, game, 150)
    fast, cleaning = collect_records([path], EVERYONE, game)
    assert (cleaning.learned, cleaning.dropped) == (150, 0)
    monkeypatch.setattr(PackedHands, "read", lambda self, data, at, line: (at, line))
    slow, _ = collect_records([path], EVERYONE, game)
    assert same(fast, slow)
    fast.check()


def test_dialects_say_the_same(tmp_path):
    """Time stamps, other line ends, comments, blank lines, no last line end."""
    path = log_of(tmp_path, HUNL)
    plain, _ = collect_records([path], EVERYONE, HUNL)
    lines = path.read_text(encoding="utf-8").splitlines()
    dialects = {
        "stamped": [f"{line} # 1480.25" if line.startswith("STATE") else line for line in lines],
        "carriage returns": [f"{line}\r" for line in lines],
        "commented": [line for one in lines for line in ("# said", "", one)],
    }
    for name, dialect in dialects.items():
        other = written(tmp_path / "..", *dialect, name=f"{tmp_path.name}.log")
        found, cleaning = collect_records([other], EVERYONE, HUNL)
        assert same(plain, found), name
        assert not cleaning.dropped
    other.write_text("\n".join(lines), encoding="utf-8")
    assert same(plain, collect_records([other], EVERYONE, HUNL)[0])


def test_the_game_may_come_from_the_header(tmp_path):
    """As in logs of dealers."""
    path = log_of(tmp_path, HUNL, game_name="holdem.nolimit.2p.reverse_blinds.game")
    assert same(collect_records([path], EVERYONE)[0], collect_records([path], EVERYONE, HUNL)[0])


def test_whose_decisions(tmp_path):
    """A player's, the winner's of each hand, or everyone's."""
    path = log_of(tmp_path, HUNL, 80, name="one.log")
    everyone, _ = collect_records([path], EVERYONE, HUNL)
    parts = [collect_records([path], name, HUNL) for name in ("Ann", "Bob")]
    assert sum(len(records) for records, _ in parts) == len(everyone)
    for records, cleaning in parts:
        assert cleaning.learned + cleaning.others == 80
        assert len(records.ends) == cleaning.learned
    winners, _ = collect_records([path], WINNER, HUNL)
    actor = _actors(winners)
    assert (winners.won[winners.hands, actor] > 0).all()
    wins = everyone.won[everyone.hands, _actors(everyone)] > 0
    assert len(winners) == wins.sum()


def _actors(records):
    from agents.poker_cnn.train.states import States

    return States(records).actors


def test_hidden_cards_are_not_learned_from(tmp_path):
    """Of logs as players keep them: what was not shown stays unknown."""
    path = written(tmp_path, "STATE:0:cr300c/cr900f:|2c2d/3h4h5h:-300|300:Ann|Bob")
    records, cleaning = collect_records([path], EVERYONE, HUNL)
    assert (cleaning.learned, cleaning.dropped) == (1, 0)
    assert set(_actors(records)) == {1}
    assert records.cards[0, :2].tolist() == [UNKNOWN, UNKNOWN]
    with pytest.raises(TrainingError, match=r"\bAnn\b.*\b1\b.*players are "):
        collect_records([path], "Ann", HUNL)


BROKEN = {
    "unfinished": ("STATE:1:cr300:8s9s|2c2d:-100|100:Ann|Bob", "the hand is not over"),
    "illegal": ("STATE:1:r150f:8s9s|2c2d:-100|100:Ann|Bob", "r150"),
    "a card twice": ("STATE:1:cr300f:8s8s|2c2d:-100|100:Ann|Bob", "a card is dealt twice"),
    "no card": ("STATE:1:cr300f:8s1s|2c2d:-100|100:Ann|Bob", "1s"),
    "names": ("STATE:1:cr300f:8s9s|2c2d:-100|100:Ann", "not a name for each"),
    "cut": ("STATE:1:cr30", "STATE:1:cr30"),
    "nonsense": ("what is this", "what is this"),
    "short board": ("STATE:1:cr300c/cr900f:8s9s|2c2d:-300|300:Ann|Bob", "board"),
}


@pytest.mark.parametrize(("line", "why"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_told_by_line(line, why, tmp_path):
    """And the hands around it are learned from."""
    path = written(tmp_path, GOOD, line, GOOD.replace("STATE:0", "STATE:2"))
    records, cleaning = collect_records([path], EVERYONE, HUNL)
    assert (cleaning.learned, cleaning.dropped) == (2, 1)
    assert len(records.ends) == 2
    assert cleaning.messages[0].startswith(f"{path}:2: ")
    assert why in cleaning.messages[0]


def test_other_values_are_learned_from_and_counted(tmp_path):
    """Logs of expectations: who wins is what betting and cards say."""
    line = "STATE:0:cr20000c///:8s9s|2c2d/3h4h5h/6h/7h:1234.5|-1234.5:Ann|Bob"
    records, cleaning = collect_records([written(tmp_path, line)], EVERYONE, HUNL)
    assert (cleaning.learned, cleaning.revalued, cleaning.dropped) == (1, 1, 0)
    assert records.won.tolist() == [[0.0, 0.0]]


def test_matches_are_told_apart(tmp_path):
    """By log and by who meets whom, wherever they sit."""
    one = written(tmp_path, GOOD, GOOD.replace("Ann|Bob", "Bob|Ann"), name="a.log")
    two = written(tmp_path, GOOD, GOOD.replace("Bob", "Cleo"), name="b.log")
    records, _ = collect_records([one, two], EVERYONE, HUNL)
    assert records.sessions.tolist() == [0, 0, 1, 2]
    assert [name.rpartition(": ")[2] for name in records.session_names] == [
        "Ann, Bob", "Ann, Bob", "Ann, Cleo",
    ]  # fmt: skip


WRONG = {
    "no such file": (None, "No such file"),
    "empty": ("", "no hands in"),
    "not text": ("\x00\x01\n", "not text"),
    "no game": (f"{GOOD}\n", "pass --game FILE"),
    "leduc": ("# name/game/hands/seed m leduc.limit.2p.game 1 1\n", "only hold'em"),
    "unknown game": ("# name/game/hands/seed m chess.game 1 1\n", "with --game"),
    "too long a line": ("x" * (1 << 21), "too long a line"),
}


@pytest.mark.parametrize(("text", "why"), WRONG.values(), ids=WRONG)
def test_what_is_no_log_is_refused(text, why, tmp_path):
    """In a line."""
    path = tmp_path / "one.log"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises((LogError, TrainingError), match=why) as error:
        collect_records([path], EVERYONE)
    assert "\n" not in str(error.value)


def test_logs_of_several_games_are_refused(tmp_path):
    """Records are of one game."""
    one = log_of(tmp_path, HUNL, 3, name="a.log", game_name="holdem.nolimit.2p.reverse_blinds.game")
    limit = load_builtin("hulhe")
    two = log_of(tmp_path, limit, 3, name="b.log", game_name="holdem.limit.2p.reverse_blinds.game")
    with pytest.raises(TrainingError, match="of another game than the logs before"):
        collect_records([one, two], EVERYONE)


def test_records_come_back_from_their_file(tmp_path):
    """To the bit, with all that is told of them."""
    records, _ = collect_records([log_of(tmp_path, HUNL)], EVERYONE, HUNL)
    records.made["expert"] = EVERYONE
    records.save(tmp_path / "x.records")
    found = CnnRecords.load(tmp_path / "x.records")
    assert same(records, found)
    assert (found.game, found.session_names, found.made) == (
        HUNL, records.session_names, {"expert": EVERYONE},
    )  # fmt: skip


def _illegal(records):
    records.actions[0] = 3


def _early(records):
    records.ends[0] -= 1


def _double(records):
    records.cards[0, 1] = records.cards[0, 0]


def _hidden(records):
    records.cards[0, :4] = UNKNOWN


def _behind(records):
    records.places[0] = 200


def _no_card(records):
    records.cards[0, 0] = 60


def _no_number(records):
    records.won[0, 0] = np.nan


def _no_session(records):
    records.sessions[0] = 9


@pytest.mark.parametrize(
    "change", [_illegal, _early, _double, _hidden, _behind, _no_card, _no_number, _no_session]
)
def test_records_that_cannot_be_are_refused(change, tmp_path):
    """Kernels trust what was loaded; so a file that lies with right checksums is found out."""
    records, _ = collect_records([log_of(tmp_path, HUNL)], EVERYONE, HUNL)
    change(records)
    records.save(tmp_path / "x.records")
    with pytest.raises(TrainingError, match="damaged"):
        CnnRecords.load(tmp_path / "x.records")


def test_a_damaged_file_is_refused(tmp_path):
    """With the way to a good one."""
    path = tmp_path / "x.records"
    with pytest.raises(TrainingError, match="arena data cnn"):
        CnnRecords.load(path)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(TrainingError, match="arena data cnn"):
        CnnRecords.load(path)
