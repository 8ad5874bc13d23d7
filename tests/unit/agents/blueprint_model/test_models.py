"""Which model plays which game."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.blueprint_model.models import (
    BIG_BLINDS_OF_STEM,
    MODELS,
    check_model_game,
    is_played,
    shipped_model,
    why_not_played,
)
from agents.errors import GameNotPlayed
from protocol.gamedef import UNLIMITED_STACK
from protocol.gamedefs import builtin_names, load_builtin

HUNL, HULHE, LEDUC = (load_builtin(name) for name in ("hunl", "hulhe", "leduc"))


def deep(big_blinds, other=None):
    """Return no-limit hold'em with some big blinds."""
    return replace(HUNL, stacks=(100 * big_blinds, 100 * (other or big_blinds)))


def test_built_in_games_have_models_of_their_own():
    """One is another one's in other chips; all others are refused."""
    models = {"hunl": "hunl", "hulhe": "hulhe", "leduc": "leduc", "pokerbots": "hunl"}
    for name, model in models.items():
        assert shipped_model(load_builtin(name)) == MODELS / f"{model}.blueprint"
    played = [name for name in builtin_names() if is_played(load_builtin(name))]
    assert len(played) == len(models)
    with pytest.raises(GameNotPlayed, match="no blueprint has been trained for limit for 2"):
        shipped_model(load_builtin("kuhn"))


def test_a_model_plays_stacks_a_sixth_smaller_than_its_own_and_larger_ones():
    """The smaller stack counts; chips are counted in big blinds."""
    first = {20: "hunl-20", 28: "hunl-33", 42: "hunl-50", 84: "hunl-100", 167: "hunl"}
    stem = ""
    for depth in range(20, 251):
        stem = first.get(depth, stem)
        assert shipped_model(deep(depth)).stem == stem, depth
        assert shipped_model(deep(5000, depth)).stem == stem, depth
    assert shipped_model(replace(HUNL, stacks=(200, 200), blinds=(2, 1))).stem == "hunl-100"
    for stem, depth in BIG_BLINDS_OF_STEM.items():
        assert shipped_model(deep(depth)).stem == stem


def test_limit_is_played_with_any_stacks():
    """No more than 24 big blinds can be lost anyway."""
    for stack in (10, 35, 200, UNLIMITED_STACK):
        assert shipped_model(replace(HULHE, stacks=(stack, 1000))).stem == "hulhe"
        chips = replace(HULHE, stacks=(stack, 500), blinds=(2, 1), raise_sizes=(2, 2, 4, 4))
        assert is_played(chips)


REFUSED = {
    "blueprint plays 20 to 250 big blinds, this game has 12": deep(12),
    "blueprint plays 20 to 250 big blinds, this game has 19.99": replace(
        HUNL, stacks=(1999, 20000)
    ),
    "blueprint plays 20 to 250 big blinds, this game has 251": deep(251),
    "blueprint plays blinds of 1 to 2, this game has 100/40": replace(HUNL, blinds=(100, 40)),
    "blueprint plays blinds of 1 to 2, this game has 0/0": replace(HUNL, blinds=(0, 0)),
    "blueprint plays blinds of 1 to 2, this game has 1/0": replace(HUNL, blinds=(1, 0)),
    "blueprint plays with the small blind first before the flop and last after it; this game asks "
    "others first": replace(HUNL, first_positions=(1, 1, 1, 1)),
    "blueprint plays with raises on every street, this game has none on some": replace(
        HUNL, max_raises=(0, 4, 4, 4)
    ),
    "blueprint plays limit raises of 1, 1, 2, 2 big blinds, this game has 10/10/10/10 chips and a "
    "big blind of 10": replace(HULHE, raise_sizes=(10, 10, 10, 10)),
}


@pytest.mark.parametrize("why", REFUSED)
def test_refusals_say_why_in_one_line(why):
    """With a model of one's own, too."""
    game = REFUSED[why]
    assert why_not_played(game) == why
    assert not is_played(game)
    for ask in (
        lambda: shipped_model(game),
        lambda: check_model_game(Path("mine"), HUNL if game.no_limit else HULHE, game),
    ):
        with pytest.raises(GameNotPlayed) as caught:
            ask()
        assert str(caught.value) == why


def test_the_button_may_have_either_seat():
    """What counts is that the small blind acts first before the flop."""
    turned = replace(HUNL, blinds=(50, 100))
    assert is_played(replace(turned, first_positions=(0, 1, 1, 1)))
    assert not is_played(turned)


def test_a_model_plays_its_own_game_whatever_it_is():
    """And no other kind."""
    path = Path("mine.blueprint")
    check_model_game(path, deep(10), deep(10))
    check_model_game(path, deep(10), deep(20))
    check_model_game(path, LEDUC, LEDUC)
    for abstract, game in ((LEDUC, HUNL), (HUNL, HULHE), (HULHE, HUNL), (HUNL, LEDUC)):
        with pytest.raises(GameNotPlayed, match=r"^mine\.blueprint plays .*, not .*$"):
            check_model_game(path, abstract, game)
    three = load_builtin("nolimit3")
    with pytest.raises(GameNotPlayed, match="not no-limit for 3"):
        check_model_game(path, HUNL, three)
