"""What `arena solve` is asked to do: options as checked values."""

import pytest

from engine.betting.bet_menu import ALL_IN
from engine.commands.solve.machine import machine_memory
from engine.commands.solve.request import look_of, request_of
from engine.commands.solve.solve_command import COMMAND
from engine.hands.cards import COMBOS, parse_combo
from protocol.cards import parse_cards

SPOT = {"board": "4s8hTc9h2s", "pot": "500", "stacks": "19750", "oop": "AA,KK:0.5", "ip": "random"}


def words(**changed):
    """The words of a command line with some options changed, and None ones left out."""
    options = {**SPOT, **changed}
    return [
        f"--{name.replace('_', '-')}={value}"
        for name, value in options.items()
        if value is not None
    ]


def request(**changed):
    """What the options ask for."""
    return request_of(COMMAND.parser().parse_args(words(**changed)))


def look(**options):
    """What the options want to see."""
    return look_of(
        COMMAND.parser().parse_args([f"--{name}={value}" for name, value in options.items()])
    )


def test_a_spot_is_what_the_options_say():
    """Ranges are 1326 weights each, without the combos that hold a card of the board."""
    found = request()
    assert (found.board, found.street) == (parse_cards("4s8hTc9h2s"), 3)
    assert (found.pot, found.stack, found.big_blind) == (500, 19750, 100)
    assert found.ranges.shape == (2, COMBOS)
    assert found.ranges[0][parse_combo("AsAh")] == 1
    assert found.ranges[0][parse_combo("KsKh")] == 0.5
    assert found.ranges[0].sum() == 9
    assert found.ranges[1].sum() == 47 * 46 / 2
    assert found.ranges[1][parse_combo("As4s")] == 0


def test_defaults_are_a_few_sizes_and_a_moderate_accuracy():
    """All raises, a third of a per cent of the pot, of the memory no more than may be free."""
    found = request()
    assert (found.bets, found.raises) == (((0.5, 1.0, ALL_IN),), ((1.0, ALL_IN),))
    assert found.max_raises is None
    assert (found.accuracy, found.iterations, found.seconds) == (0.003, None, None)
    assert 2**26 < found.memory_limit <= 0.76 * machine_memory()


def test_boards_may_be_spelled_with_blanks_and_any_letters():
    """As `arena equity` takes them."""
    assert request(board=" ks jS7D ").board == parse_cards("KsJs7d")


def test_of_two_stacks_the_smaller_one_counts():
    """Nobody can win what the other does not have."""
    assert request(stacks="900,1200").stack == request(stacks="1200, 900").stack == 900


def test_every_street_may_have_its_own_sizes():
    """The last list serves all streets that are left; streets before the board's need none."""
    found = request(board="KsJs7d", bets="50/100,a", raises="a", max_raises=2)
    menu = found.menu(2)
    assert [street.after(0) for street in menu.streets] == [(0.5,), (0.5,), (1.0, ALL_IN)]
    assert {street.sizes[1:] for street in menu.streets} == {((ALL_IN,), ())}


def test_ranges_may_come_from_a_file(tmp_path):
    """Over several lines."""
    path = tmp_path / "range.txt"
    path.write_text("AA, KK\nAKs:0.25\n")
    found = request(oop=f"@{path}")
    assert found.ranges[0].sum() == 6 + 6 + 1


def test_a_look_is_a_decision_and_the_hands_to_show():
    """By default the root and all hands."""
    whole = look()
    assert (whole.node, whole.dealt, whole.hands) == ("", (), None)
    assert (whole.combos, whole.json, whole.as_json) == (False, None, False)
    part = look(node=" cr500c ", dealt="2h", hands="AA,AKs:0.5")
    assert (part.node, part.dealt) == ("cr500c", parse_cards("2h"))
    assert part.hands.sum() == 10


def test_help_names_the_defaults(capsys):
    """And shows ranges, sizes and examples."""
    with pytest.raises(SystemExit) as stop:
        COMMAND.parser().parse_args(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    for piece in ("default 50,100,a", "default 0.3", "ranges:", "sizes:", "examples:"):
        assert piece in out
    assert max(map(len, out.splitlines())) <= 100
