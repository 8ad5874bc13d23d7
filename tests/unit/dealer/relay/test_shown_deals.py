"""What a relay makes of the secret and the words of a match, by what it was shown before."""

from hashlib import sha256

import pytest

from dealer.relay.shown_deals import ShownDeals, fresh_phrase, judge_deals
from protocol.deals import phrase_digest

SECRET = b"s" * 32
MINE, THEIRS = "luck 1234", "of the other"
COMMITMENT = sha256(SECRET).hexdigest()
ALONE = ShownDeals("7", COMMITMENT, (phrase_digest(MINE),))
FIRST = ShownDeals("7", COMMITMENT, (phrase_digest(MINE), phrase_digest(THEIRS)))
SECOND = ShownDeals("7", COMMITMENT, (phrase_digest(THEIRS), phrase_digest(MINE)))


def match(words, **changes):
    """A match that is over."""
    return {"match": "7", "hands_played": 20, "secret": SECRET.hex(), "words": words, **changes}


@pytest.mark.parametrize(
    ("shown", "phrase"),
    [(ALONE, MINE), (FIRST, f"{MINE} {THEIRS}"), (SECOND, f"{THEIRS} {MINE}")],
)
def test_deals_of_what_was_shown_are_proven(shown, phrase):
    """Without a word."""
    assert judge_deals(shown, MINE, match(phrase)) == (True, "")


@pytest.mark.parametrize(
    ("shown", "document", "line"),
    [
        (None, match(MINE), "no commitment"),
        (ShownDeals("7", "", ALONE.words_sha256), match(MINE), "no commitment"),
        (ALONE, match(MINE, secret=b"t".hex() * 32), "not the one"),
        (ALONE, match(MINE, secret=None), "does not show the secret"),
        (ALONE, match(MINE, secret="xyz"), "does not show the secret"),
        (ALONE, match(MINE, secret="", state="finished", hands_played=0), "not the one"),
        (ALONE, match(MINE, match="8"), "asked for in match 7"),
        (ALONE, match(""), "not made of this relay's words"),
        (ALONE, match(MINE[:-1]), "not made of this relay's words"),
        (ALONE, match(f"{MINE} more"), "other words"),
        (FIRST, match(THEIRS), "not made of this relay's words"),
        (FIRST, match(f"{MINE} {THEIRS}!"), "other words"),
        (FIRST, match(f"{THEIRS} {MINE}"), "not made of this relay's words"),
        (SECOND, match(f"{THEIRS}! {MINE}"), "other words"),
        (SECOND, match(f"\ud800 {MINE}"), "other words"),
    ],
)
def test_deals_that_may_have_been_chosen_are_told(shown, document, line):
    """Whatever of secret and words is another than what was shown, or is not there."""
    proven, text = judge_deals(shown, MINE, document)
    assert not proven
    assert line in text


def test_words_that_the_opponent_kept_back_are_remarked_upon():
    """Its relay may have been lost, so that they could not be said."""
    proven, text = judge_deals(FIRST, MINE, match(MINE))
    assert proven
    assert "has not said" in text


def test_a_match_without_a_hand_has_nothing_to_prove():
    """It was broken off before all words were said, and nobody has been dealt a card."""
    assert judge_deals(None, MINE, match("", hands_played=0)) == (True, "")


def test_words_are_new_for_each_match():
    """A host who has heard those of one match does not know those of the next one."""
    first, second = fresh_phrase("luck"), fresh_phrase("luck")
    assert first != second
    assert first.startswith("luck ")
    assert len(fresh_phrase("")) == 32
