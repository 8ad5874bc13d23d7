"""What stands behind the last name of hands: left out where it is no part of it, and told."""

import pytest

from engine.handlogs.source.name_ends import NameEnds
from engine.handlogs.source.opening import open_log
from tests.helpers.said import says_in_a_line

PLAIN = "".join(
    f"STATE:{hand}:f:7d3d|2hAc:50|-50:{names}\n"
    for hand, names in enumerate(("Ann|Bob", "Bob|Ann") * 3)
)


def read(path, **how):
    """The text of a log."""
    with open_log(path, **how) as source:
        return source.read().decode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("behind", [" ", "\t{}", " # hand {}", "  # {}", ":{}", ";won;{}", ",x"])
def test_what_stands_behind_the_last_name_is_left_out(tmp_path, behind, end):
    """And told at the end of reading, with the number of hands."""
    path = tmp_path / "m.log"
    lines = [line + behind.format(7 * at) for at, line in enumerate(PLAIN.splitlines())]
    path.write_bytes(end.join(["# name/game/hands/seed m g 6 42", *lines, ""]).encode())
    clean = end.join(["# name/game/hands/seed m g 6 42", *PLAIN.splitlines(), ""])
    for again in (False, True):
        warnings = set()
        assert read(path, again=again, warn=warnings.add) == clean
        (warning,) = warnings
        says_in_a_line(f"{warning}\n", "m.log", "6 hands")


def cleaned(*names):
    lines = [f"STATE:{at}:f:7d3d|2hAc:50|-50:{one}".encode() for at, one in enumerate(names)]
    ends = NameEnds(lines)
    found = [line.decode().split(":", 5)[5] for line in ends.cleaned(lines)]
    assert ends.wanted or found == list(names)
    return found


def test_names_may_hold_anything():
    """Where they sit in another place, too, or stay the same; nobody sits in two seats."""
    for names in (
        ("Ann|Bob the 1st", "Bob the 1st|Ann"),
        ("Ann|Bob # 1", "Ann|Bob # 1", "Ann|Bob # 1"),
        ("Bot 1|Bot 2", "Bot 2|Bot 1"),
        ("Bot|Bot 2", "Bot|Bot 2"),
        ("hero|Bot 1", "hero|Bot 1", "hero|Bot 2", "hero|Bot 2", "hero|Bot 3", "hero|Bot 3"),
        ("Ann|Bob # 1479132064.3", "Bob|Ann # 1479132065.1", "Ann|Bob # 1479132066.2"),
    ):
        assert cleaned(*names) == list(names)


def test_in_fixed_seats_what_differs_in_most_hands_is_no_name():
    """Also where the other player joins later."""
    assert cleaned("Ann|Bob 3", "Ann|Bob 8", "Ann|Bob 1") == ["Ann|Bob"] * 3
    late = ("Ann|Bob 3", "Bob|Ann 4", "Cleo|Bob 2", "Bob|Cleo 9")
    assert cleaned(*late) == ["Ann|Bob", "Bob|Ann", "Cleo|Bob", "Bob|Cleo"]
