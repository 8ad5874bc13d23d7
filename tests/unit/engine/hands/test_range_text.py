"""Ranges as text."""

import numpy as np
import pytest

from engine.equity.preflop import equities_against_random
from engine.hands.cards import COMBOS, combo_text, parse_combo
from engine.hands.range_text import format_range, given_twice, parse_range
from engine.hands.starting_hands import COMBO_STARTING_HAND


def combos(text):
    """The combos of a range, as text."""
    return {combo_text(combo) for combo in np.flatnonzero(parse_range(text))}


COUNTS = """
AA=6 AKs=4 AKo=12 AK=16 KA=16 QQ+=18 22+=78 A5s-A2s=16 A2s-A5s=16 A5s+=36 T9s+=4 T6o+=48 K9+=64
77-55=18 AhKh=1 KhAh=1 JTs-76s=20 J9-53=112 random=1326 any=1326 *=1326 100%=1326 QQ+,AKs=22
qq+,aKS,ahkh=22
"""
SPELLED = {"": 0, "QQ+ AKs": 22, " , QQ+ ,\tAKs\n,": 22, "A5s - A2s": 16}


@pytest.mark.parametrize(
    ("text", "count"), [*(case.rsplit("=", 1) for case in COUNTS.split()), *SPELLED.items()]
)
def test_pieces_name_as_many_combos_as_they_should(text, count):
    """Pairs have 6 combos, suited hands 4, offsuit hands 12."""
    weights = parse_range(text)
    assert weights.dtype == np.float32
    assert weights.shape == (COMBOS,)
    assert set(weights.tolist()) <= {0.0, 1.0}
    assert weights.sum() == int(count)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("QQ+", "QQ,KK,AA"),
        ("A5s+", "A5s,A6s,A7s,A8s,A9s,ATs,AJs,AQs,AKs"),
        ("T8+", "T8s,T8o,T9s,T9o"),
        ("A5s-A2s", "A5s,A4s,A3s,A2s"),
        ("JTs-76s", "JTs,T9s,98s,87s,76s"),
        ("Q9o-T7o", "Q9o,J8o,T7o"),
        ("random", "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"),
        ("AKo", "AcKd,AcKh,AcKs,AdKc,AdKh,AdKs,AhKc,AhKd,AhKs,AsKc,AsKd,AsKh"),
        ("55", "5c5d 5c5h 5c5s 5d5h 5d5s 5h5s"),
    ],
)
def test_short_forms_mean_what_they_stand_for(text, same):
    """Plus goes up with the kicker or the pair, a dash takes all between."""
    assert combos(text) == combos(same)


def test_weights_follow_a_colon_and_the_last_one_counts():
    """Of combos named twice."""
    weights = parse_range("QQ+:0.5 AA AhKh:.25,KK : 0, JJ:1.0")
    assert weights[parse_combo("QsQh")] == 0.5
    assert weights[parse_combo("AsAh")] == 1
    assert weights[parse_combo("KhAh")] == 0.25
    assert weights[parse_combo("KsKd")] == 0
    assert weights[parse_combo("JcJd")] == 1
    assert np.count_nonzero(weights) == 19


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("AA,AA:0.5", ["AA:0.5"]),
        ("AA:0.5 QQ+", ["QQ+"]),
        ("AKs:0.5,AhKh,AKs", ["AKs"]),
        ("random,QQ+:0.5 AA", []),
        ("AA,AA,KK:0.5", []),
    ],
)
def test_several_weights_of_a_hand_are_found(text, twice):
    """Unless a piece is an exception to a larger one before it."""
    assert given_twice(text) == twice


@pytest.mark.parametrize("percent", ["0%", "0.1%", "10%", "33.3%", "100%"])
def test_percent_takes_the_best_hands_up_to_that_share(percent):
    """By equity against a random hand; only the last starting hand is there in part."""
    weights = parse_range(percent)
    assert weights.sum() == pytest.approx(float(percent[:-1]) / 100 * COMBOS, rel=1e-6)
    equities = equities_against_random()[COMBO_STARTING_HAND]
    whole, part, out = weights == 1, (weights > 0) & (weights < 1), weights == 0
    assert len(set(equities[part].tolist())) <= 1
    for better, worse in ((whole, part), (whole, out), (part, out)):
        if better.any() and worse.any():
            assert equities[better].min() >= equities[worse].max()
    np.testing.assert_array_equal(parse_range(percent + ":0.5"), weights * np.float32(0.5))


WRONG = {
    "no hand": "foo AK+5 AKs- - AhKh+ A1s 10Ts :0.5 101% -5%",
    "neither suited nor offsuit": "QQs",
    "same card twice": "AhAh",
    "nothing leads": "A5s-K2s A5s-A2o A5s-A2 77-A2s",
    "weight from 0 to 1": "AA:1.5 AA:-1 AA: AA:nan AA:1:1",
}


@pytest.mark.parametrize(
    ("piece", "why"), [(piece, why) for why, pieces in WRONG.items() for piece in pieces.split()]
)
def test_wrong_pieces_are_named_in_one_line(piece, why):
    """Only the piece, not the text around it, and not all of a long one."""
    for text, named in ((f"AA,{piece},KK", piece), ("A" * 100, "A" * 37 + "...")):
        with pytest.raises(ValueError) as caught:
            parse_range(text)
        message = str(caught.value)
        assert message.startswith(repr(named))
        assert "\n" not in message
        assert named != piece or why in message


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("KK,AA,QQ,AKs", "QQ+,AKs"), ("A2s,A3s,A4s,A5s,77,66,55", "77-55,A5s-A2s"),
        ("AKs,AKo,AQs,AQo", "AQ+"), ("A5s+,A9o+", "A5s+,A9o+"),
        ("KsKh,AhKh,AcKc,AdKd,AsKs", "AKs,KsKh"), ("any", "random"),
        ("AA,KK:0.5,AhKh:0.125", "AA,KK:0.5,AhKh:0.125"), ("32o,72o", "72o,32o"), ("", ""),
    ],
)  # fmt: skip
def test_text_of_a_range_is_short(text, short):
    """Runs of classes become one piece; weights go from high to low."""
    assert format_range(parse_range(text)) == short


@pytest.mark.parametrize(
    "weights",
    [
        np.zeros(1325),
        np.zeros((1326, 1)),
        np.full(1326, 1.01),
        np.full(1326, -0.1),
        np.full(1326, np.nan),
    ],
)
def test_what_is_no_range_has_no_text(weights):
    """Wrong shapes and weights outside 0 to 1."""
    with pytest.raises(ValueError, match="weights: want"):
        format_range(weights)
