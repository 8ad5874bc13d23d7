"""Hands of logs, read in pieces for studies."""

import pytest

from agents.errors import TrainingError
from agents.training.logs import LoggedHands, hand_of_line
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.studied import random_hands, studied_hands, taken
from tests.studies import logged_hands
from tests.studies.categories import CategoryStudy
from tests.studies.logged_hands import studied, study_hands

HUNL = load_builtin("hunl")
SHOWN = "STATE:0:r300c/cr600c/cc/cr1800c:{}/3h4cJh/Ks/9c:-2100|2100:one|two"


def hand_of(line):
    """A hand of hunl."""
    return hand_of_line(HUNL, parse_log_line(line))


def test_shares_of_the_pot_and_chips():
    """The better hand gets it, equal ones half, and whoever is left where the other folds."""
    found = studied(hand_of(SHOWN.format("AdQc|KhKd")))
    assert (found.shares, found.mbb) == ((0, 1), (-21000, 21000))
    assert studied(hand_of(SHOWN.format("AdQc|AhQd"))).shares == (0.5, 0.5)
    folded = studied(hand_of("STATE:1:r300f:7c2d|AhAd:-100|100:two|one"))
    assert (folded.shares, folded.mbb) == ((0, 1), (-1000, 1000))


def test_shares_agree_with_the_chips_of_random_hands():
    """Whoever gets more than half has won chips, whoever gets half none."""
    for found in studied_hands(random_hands("hunl", 80)):
        for share, won in zip(found.shares, found.mbb, strict=True):
            assert (share > 0.5, share < 0.5) == (won > 0, won < 0)


def test_a_hidden_hand_is_told():
    """With its place."""
    with pytest.raises(TrainingError, match="here: a showdown hides a hand"):
        studied(hand_of(SHOWN.format("AdQc|")), "here")


def test_pieces_add_up(monkeypatch):
    """However hands are cut, the result is that of all at once."""
    logged = random_hands("hulhe", 25)
    whole = taken(CategoryStudy(), logged).plain()
    monkeypatch.setattr(logged_hands, "PIECE", 7)
    pieces = list(study_hands(CategoryStudy, logged))
    assert [one.deals for one in pieces] == [7, 7, 7, 4]
    sum_ = CategoryStudy()
    for one in pieces:
        sum_.add(one)
    assert sum_.plain() == whole


def test_an_error_names_the_hand(monkeypatch):
    """Also in a later piece."""
    records = [parse_log_line(SHOWN.format(cards)) for cards in ("AdQc|KhKd", "AdQc|")]
    monkeypatch.setattr(logged_hands, "PIECE", 1)
    with pytest.raises(TrainingError, match=r"^m:2: "):
        list(study_hands(CategoryStudy, LoggedHands(HUNL, records, ["m:1", "m:2"])))
