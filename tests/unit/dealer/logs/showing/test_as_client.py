"""The lines a seat received."""

from pathlib import Path

import pytest

from dealer.logs.showing.as_client import client_lines
from engine.errors import LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_hands import hands_of
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused, says

HEADER = "# name/game/hands/seed m holdem.limit.3p.game 10 1"
HANDS = [
    "STATE:0:rfc/cc/cc/cc:7d3d|2hAc|5sKs/7s9s6h/4h/Ts:-20|0|20:Ann|Bob|Cleo",
    "STATE:1:ff:2h3h|4h5h|6h7h:-5|5|0:Bob|Cleo|Ann",
]


def received(tmp_path, seat, lines=(HEADER, *HANDS)):
    """Lines for a seat, and complaints."""
    log = tmp_path / "m.log"
    log.write_text("\n".join(lines) + "\n")
    told = []
    complaints = Complaints(told.append)
    hands = hands_of(log, None, complaints)
    return b"".join(client_lines(hands, seat, complaints)), told


def test_only_what_the_seat_may_see(tmp_path):
    """Own cards always; at a showdown the cards of those still in; nothing after a fold-out."""
    data, told = received(tmp_path, "3")
    assert data.decode().split("\r\n") == [
        "MATCHSTATE:2:0::||5sKs",
        "MATCHSTATE:2:0:r:||5sKs",
        "MATCHSTATE:2:0:rf:||5sKs",
        "MATCHSTATE:2:0:rfc/:||5sKs/7s9s6h",
        "MATCHSTATE:2:0:rfc/c:||5sKs/7s9s6h",
        "MATCHSTATE:2:0:rfc/cc/:||5sKs/7s9s6h/4h",
        "MATCHSTATE:2:0:rfc/cc/c:||5sKs/7s9s6h/4h",
        "MATCHSTATE:2:0:rfc/cc/cc/:||5sKs/7s9s6h/4h/Ts",
        "MATCHSTATE:2:0:rfc/cc/cc/c:||5sKs/7s9s6h/4h/Ts",
        "MATCHSTATE:2:0:rfc/cc/cc/cc:|2hAc|5sKs/7s9s6h/4h/Ts",
        "MATCHSTATE:1:1::|4h5h|",
        "MATCHSTATE:1:1:f:|4h5h|",
        "MATCHSTATE:1:1:ff:|4h5h|",
        "",
    ]
    assert told == []


HEADER_FIXED = [
    HEADER,
    HANDS[0],
    HANDS[1].replace("Bob|Cleo|Ann", "Ann|Bob|Cleo"),
]


def test_a_seat_may_be_named(tmp_path):
    """By number or by the player in it."""
    assert received(tmp_path, "Bob") == received(tmp_path, "2")
    assert received(tmp_path, "Ann") == received(tmp_path, "1")


def test_fixed_seats_are_noticed(tmp_path):
    """Where the names stay, the positions do."""
    data, _ = received(tmp_path, "3", HEADER_FIXED)
    assert b"MATCHSTATE:2:1::||6h7h\r\n" in data
    assert received(tmp_path, "Cleo", HEADER_FIXED)[0] == data


def test_a_wrong_hand_is_left_out_and_told(tmp_path):
    """The others still come."""
    broken = "STATE:1:frc:2h3h|4h5h|6h7h:-5|5|0:Bob|Cleo|Ann"
    data, told = received(tmp_path, "1", [HEADER, HANDS[0], broken, "STATE:2:x"])
    assert data.count(b"\r\n") == 10
    assert len(told) == 2
    says(sorted(told)[0], "m.log:3: left out", "cards and betting")


@pytest.mark.parametrize(
    ("seat", "names", "facts"),
    [
        ("4", "Ann|Bob|Cleo", ["no seat 4", "1 to 3"]),
        ("0", "Ann|Bob|Cleo", ["no seat 0", "1 to 3"]),
        ("Zoe", "Ann|Bob|Cleo", ["'Zoe'"]),
        ("Ann", "Ann|Bob|Ann", ["several", "'Ann'", "number"]),
    ],
)
def test_a_seat_that_is_not_there(tmp_path, seat, names, facts):
    """Says so."""
    with refused(LogError, *facts):
        received(tmp_path, seat, [HEADER, HANDS[0].replace("Ann|Bob|Cleo", names)])


def test_hands_need_a_game_and_bad_lines_are_told(tmp_path):
    """`hands_of` says what it cannot use."""
    log = tmp_path / "m.log"
    log.write_text(HANDS[0] + "\n")
    with pytest.raises(LogError, match="--game"):
        list(hands_of(log, None, Complaints(print)))
    with pytest.raises(LogError, match="No such file"):
        list(hands_of(Path("none.log"), None, Complaints(print)))
    told = []
    complaints = Complaints(told.append)
    log.write_text("\n".join([HEADER, *["STATE:1:x"] * 30]) + "\n")
    assert list(hands_of(log, None, complaints)) == []
    complaints.finish()
    assert complaints.count == 30
    says(told[-1], "10 more", "left out")
    assert load_builtin("limit3").players == 3
