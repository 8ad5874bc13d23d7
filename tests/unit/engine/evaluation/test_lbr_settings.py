from itertools import pairwise

import pytest

from engine.betting.bet_menu import ALL_IN
from engine.evaluation.lbr_settings import (
    FIFTY_SIX,
    PUBLISHED_SETTINGS,
    LbrSettings,
    StreetOptions,
    parse_lbr_settings,
)
from engine.rules.view import replay_betting
from protocol.actions import CALL, FOLD, RAISE
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")


def texts(settings, betting, game=HUNL):
    """What LBR looks at after some betting, as on the wire."""
    return [action.text for action in settings.actions(replay_betting(game, betting))]


@pytest.mark.parametrize(
    ("text", "betting", "want"),
    [
        ("C", "", ["c"]), ("C", "r20000", ["c"]), ("FC", "", ["c", "f"]), ("FC", "c", ["c"]),
        ("FC,C", "cc/", ["c"]), ("C,FCPA", "cc/", ["c", "r300", "r20000"]),
        ("C,FCPA", "cc/r300", ["c", "r900", "r20000", "f"]), ("C,CA", "cc/r300", ["c", "r20000"]),
        ("FCPA", "r20000", ["c", "f"]), ("C,FC", "r300c/r600", ["c", "f"]),
        ("C,FC", "r300c/cc/cc/r600", ["c", "f"]),
    ],
)  # fmt: skip
def test_words_say_what_is_looked_at(text, betting, want):
    """Call, raises ascending, and fold against a bet; what is not legal is left out."""
    assert texts(parse_lbr_settings(text), betting) == want


def test_limit_games_have_one_raise():
    """All sizes come to the same."""
    settings = parse_lbr_settings("56")
    assert settings.actions(replay_betting(HULHE, "")) == (CALL, RAISE, FOLD)
    assert settings.actions(replay_betting(HULHE, "rrr")) == (CALL, FOLD)


def test_the_ladder_has_56_sizes():
    """15 % from one to the next, from a twentieth of the pot up to all-in."""
    assert len(FIFTY_SIX) == 56
    assert FIFTY_SIX[0] == 0.05
    assert FIFTY_SIX[54] == pytest.approx(94.76618191)
    assert FIFTY_SIX[55] == ALL_IN
    ratios = [b / a for a, b in pairwise(FIFTY_SIX[:55])]
    assert ratios == pytest.approx([1.15] * 54)


def test_sizes_below_the_smallest_raise_are_that_raise():
    """Of 56 sizes into 200 chips those up to half the pot are a raise to 200; none is twice."""
    found = texts(parse_lbr_settings("C,56"), "cc/")
    small = sum(size <= 0.5 for size in FIFTY_SIX)
    assert found[:3] == ["c", "r200", f"r{100 + round(200 * FIFTY_SIX[small])}"]
    assert len(found) == len(set(found)) == 1 + 1 + 56 - small
    assert found[-1] == "r20000"


def test_published_settings():
    """In the order of the articles' tables."""
    names = ["FC,FC,FC,FC", "C,C,FCPA,FCPA", "C,C,56,56", "C,56,FC,FC"]
    assert [settings.name for settings in PUBLISHED_SETTINGS] == names


@pytest.mark.parametrize(
    "text", ["", "F", "FP", "CF", "FCC", "FCX", "55", "FC,,FC", "fc", "FC56", "x" * 5000]
)
def test_other_words_are_refused(text):
    """The message repeats the word."""
    with pytest.raises(ValueError, match="LBR on a street") as caught:
        parse_lbr_settings(text)
    assert len(str(caught.value)) < 150


def test_settings_need_streets_and_sizes_in_order():
    """As for bet menus."""
    with pytest.raises(ValueError, match="at least one street"):
        LbrSettings("nothing", ())
    with pytest.raises(ValueError, match="ascending"):
        LbrSettings("wild", (StreetOptions(True, (2.0, 1.0)),))


def test_there_are_no_more_words_than_streets():
    """A fifth would never be played."""
    assert len(parse_lbr_settings("C,C,C,56").streets) == 4
    with pytest.raises(ValueError, match=r"\b4\b.*\b5\b"):
        parse_lbr_settings("C,C,C,C,56")


@pytest.mark.parametrize(("word", "sizes"), [("4", 4), ("8", 8)])
def test_few_sizes_stand_for_all(word, sizes):
    """Beside fold, check and call; the largest is all-in."""
    found = texts(parse_lbr_settings(word), "r300c/r900")
    assert (found[0], found[-2], found[-1]) == ("c", "r20000", "f")
    assert len(found) == 2 + sizes
