"""Games for other numbers of players and with odd stacks."""

import pytest

from dealer.compliance.checked_games import CheckedGame, with_odd_stacks, with_players
from dealer.errors import MatchUsageError
from protocol.gamedefs import builtin_path, load_builtin


def built_in(alias):
    """A packaged game."""
    path = builtin_path(alias)
    return CheckedGame(path.name, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("base", "players", "same"),
    [
        ("hunl", 3, "nolimit3"),
        ("hunl", 6, "nolimit6"),
        ("nolimit6", 2, "hunl"),
        ("hunl", 2, "hunl"),
    ],
)
def test_holdem_for_others_is_the_packaged_game(base, players, same):
    """Blinds and stacks as in the game files; of Kuhn poker nobody knows how four play it."""
    with pytest.raises(MatchUsageError, match="not hold'em"):
        with_players(built_in("kuhn"), 4)
    assert with_players(built_in(base), players).game == load_builtin(same)


@pytest.mark.parametrize("alias", ["hunl", "nolimit3", "nolimit6"])
def test_odd_stacks_differ_and_are_no_multiples_of_blinds(alias):
    """And nobody has more than the game gives."""
    base = built_in(alias).game
    odd = with_odd_stacks(built_in(alias)).game
    assert len(set(odd.stacks)) == odd.players
    assert all(stack % 50 for stack in odd.stacks)
    assert all(
        big < stack < most
        for big, stack, most in zip(odd.blinds, odd.stacks, base.stacks, strict=True)
    )


@pytest.mark.parametrize("alias", ["hulhe", "kuhn"])
def test_where_stacks_do_not_end_there_are_no_odd_ones(alias):
    """Limit games are played without them."""
    assert with_odd_stacks(built_in(alias)) is None
