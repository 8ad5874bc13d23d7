"""What `arena solve` is asked to do: options as checked values."""

import pytest

from engine.betting.bet_menu import ALL_IN
from engine.commands.solve.machine import machine_memory
from engine.commands.solve.request import look_of, request_of
from engine.commands.solve.solve_command import COMMAND
from engine.hands.cards import COMBOS, parse_combo
from protocol.cards import parse_cards

SPOT = {
    "board": "4s8hTc9h2s",
    "pot": "500",
    "stacks": "19750",
    "oop": "AA,KK:0.5",
    "ip": "random",
}


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


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"board": None}, "missing: --board"),
        ({"oop": "", "ip": None}, "missing: --oop, --ip"),
        ({"board": "KsJs"}, "--board KsJs: want 3, 4 or 5 cards, not 2"),
        ({"board": "4s8hTc9h2s3d"}, "want 3, 4 or 5 cards, not 6"),
        ({"board": "4s8hTc9h4s"}, "--board 4s8hTc9h4s: 4s is named twice"),
        ({"board": "4s8hTc9h2"}, "--board: not a list of cards"),
        ({"board": "♠♥♦"}, "--board: not a list of cards"),
        ({"pot": "501"}, "--pot 501: want an even number"),
        ({"stacks": "0"}, "--stacks: 0: want 1 to 1000000000"),
        ({"stacks": "1,2,3"}, "--stacks 1,2,3: want one number, or two"),
        ({"stacks": "700,"}, "--stacks: '' is not a whole number of 0 or more"),
        ({"oop": "QQ+,AKx"}, "--oop: 'AKx': no hand"),
        ({"oop": " "}, "--oop: a range without hands"),
        ({"oop": "AA:0"}, "--oop: a range without hands"),
        ({"oop": "AA:-1"}, "--oop: 'AA:-1': want a weight"),
        ({"ip": "4s3s,8h7h"}, "--ip: every hand of it holds a card of 4s8hTc9h2s"),
        ({"ip": "@"}, "--ip @: Is a directory"),
        ({"ip": "@/no/such/file"}, "--ip @/no/such/file: No such file or directory"),
        ({"ip": "@/dev/zero"}, "--ip @/dev/zero: too long for a range"),
        ({"bets": ""}, "--bets: bet size ''"),
        ({"bets": "nan"}, "--bets: bet size 'nan'"),
        ({"bets": "50/100"}, "--bets 50/100: sizes for 2 streets, 1 to come"),
        ({"raises": "-5"}, "--raises: bet size '-5'"),
        ({"algorithm": "cfr9"}, "--algorithm 'cfr9': there are adaptive, cfr, "),
        ({"pool": "cfr"}, "--pool is for --algorithm adaptive"),
        ({"algorithm": "adaptive", "alpha": "2"}, "alpha 2.0 not in (0, 1]"),
    ],
)
def test_what_makes_no_sense_is_named(changed, why):
    """With the option it was given to."""
    with pytest.raises(ValueError) as error:
        request(**changed)
    assert str(error.value).startswith(why) or why in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"dealt": "2"}, "--dealt: not a list of cards: '2'"),
        ({"dealt": "2h2h"}, "--dealt 2h2h: 2h is named twice"),
        ({"hands": ""}, "--hands: a range without hands"),
        ({"hands": "@/no/such/file"}, "--hands @/no/such/file: No such file"),
    ],
)
def test_looks_that_make_no_sense_are_named(options, why):
    """In the same way."""
    with pytest.raises(ValueError) as error:
        look(**options)
    assert str(error.value).startswith(why)


def test_help_names_the_defaults(capsys):
    """And shows ranges, sizes and examples."""
    with pytest.raises(SystemExit) as stop:
        COMMAND.parser().parse_args(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    for piece in ("default 50,100,a", "default 0.3", "ranges:", "sizes:", "examples:"):
        assert piece in out
    assert max(map(len, out.splitlines())) <= 100
