"""The text of PokerStars: what is written, and comes back."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from pokerkit.notation import HandHistory as Notation

from engine.errors import UnusableHistory
from engine.histories.pokerstars_write import PokerStarsWriter, hand_words
from engine.showdown.evaluator import strength
from protocol.cards import parse_cards
from protocol.gamedef import UNLIMITED_STACK
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in, only_hand, written
from tests.helpers.pokerstars_pages import CASH, HEADS_UP, changed, read
from tests.helpers.random_logs import random_log


def test_a_hand_of_a_site_comes_back_from_a_log():
    """With its number, table, seats, date and money; through PHH and Open Hand History too."""
    hand = read(CASH)
    text = written([hand], "pokerstars")
    for between in ("log", "phhs", "ohh"):
        (again,) = hands_in(written([hand], between), between, hand.game)
        assert written([again], "pokerstars") == text
    kept = {line.rstrip() for line in CASH.splitlines()} - set(text.splitlines())
    assert {line.partition(" ")[0] for line in kept} <= {
        *("\ufeffPokerStars", "Seat", "eve", "dan", "Ann:", "Cleo"),
    }
    assert "2020/02/03 7:05:09 CET [2020/02/03 1:05:09 ET]" in text
    assert text.index("Uncalled bet ($1.50) returned to Ann: a") < text.index("*** FLOP ***")


def test_a_written_hand_is_this_text():
    """Word for word, without comments where nothing is left to say."""
    log = "STATE:7:r200c/cr400f:7d2c|9d5d/Kc4c3s:-200|200:Ann|Bob # 1478521023\n"
    text = written(hands_in(log, "log", load_builtin("hunl")), "pokerstars")
    like = changed(
        HEADS_UP,
        ("Dealt to Ann [7d 2c]\n", "Dealt to Ann [7d 2c]\nDealt to Bob [9d 5d]\n"),
        ("Lyra", "Arena"),
        (" (Play Money)", ""),
    )
    for chips in (20000, 400, 200, 100, 50, 0):
        like = like.replace(f" {chips}", f" ${chips}").replace(f"({chips}", f"(${chips}")
    assert text.replace("/$100", "/100") == f"{like}\n\n"


def test_chips_become_dollars_and_cents():
    """With a code of the currency, which keeps the scale."""
    log = "STATE:7:r250f:7d2c|9d5d:-100|100:Ann|Bob\n"
    (hand,) = hands_in(log, "log", load_builtin("hunl"))
    text = PokerStarsWriter(100).add(hand)
    assert "Hold'em No Limit ($0.50/$1.00 USD) - 1970/01/01 0:00:00 UTC" in text
    assert "Bob: raises $1.50 to $2.50" in text
    again = read(text)
    assert (again.scale, again.record, again.game) == (100, hand.record, hand.game)


def test_shares_below_a_cent_go_behind_the_button_and_are_noted():
    """Thirds of a pot: the payoffs are those of the log again."""
    cards = "5c5d|2c3d|2d3c|4h4c|6h6c|7h7c/AsKsQs/Js/Ts"
    values = "-50|16.666667|16.666667|16.666667|0|0"
    log = f"STATE:1:ccfffc/ccc/ccc/ccc:{cards}:{values}:a|b|c|d|e|f\n"
    text = written(hands_in(log, "log", load_builtin("nolimit6")), "pokerstars")
    assert [line for line in text.splitlines() if "collected" in line] == [
        "b collected $116.67 from pot",
        "c collected $116.67 from pot",
        "d collected $116.66 from pot",
    ]
    assert '# phh: _values = ["-50", "16.666667", ' in text
    assert written(hands_in(text, "pokerstars"), "log") == log


def test_each_pot_has_coins_left_over_and_they_are_told_apart():
    """Though together they are a cent off the payoffs."""
    game = replace(load_builtin("nolimit6"), stacks=(9000, 9000, 9000, 9000, 100, 9000))
    cards = "2c2d|Ac3c|Ad3d|Ah3h|KcQc|7h7c/5s5h5d/5c/2s"
    values = "-50|150|150|150|-100|-300"
    log = f"STATE:1:r300cccfc/r400ccf/ccc/ccc:{cards}:{values}:a|b|c|d|e|f\n"
    text = written(hands_in(log, "log", game), "pokerstars")
    assert "Total pot $1650 Main pot $550. Side pot $1100. | Rake $0" in text
    assert [line for line in text.splitlines() if " collected " in line] == [
        *("b collected $366.67 from side pot", "c collected $366.67 from side pot"),
        *("d collected $366.66 from side pot", "b collected $183.34 from main pot"),
        *("c collected $183.33 from main pot", "d collected $183.33 from main pot"),
    ]
    assert written(hands_in(text, "pokerstars"), "log") == log


def test_limit_hands_have_the_sizes_of_bets_in_their_head():
    """Stacks without an end are the largest number."""
    game = load_builtin("hulhe")
    log = "STATE:3:rrc/rf:AcAd|7h6h/Jc3d5c:20|-20:Ann|Bob\n".replace("rrc", "rc")
    (hand,) = hands_in(log, "log", game)
    text = written([hand], "pokerstars")
    assert "Hold'em Limit ($10/$20)" in text
    assert f"Seat 1: Ann (${UNLIMITED_STACK} in chips)" in text
    assert "Ann: bets $10" in text
    again = read(text)
    assert (again.game, again.record) == (game, hand.record)
    other = text.replace("Ann collected", "Bob collected").replace(" collected (", " got (")
    assert read(other).record.values == ("-20", "20")


def test_other_games_are_refused():
    """Kuhn has no words there."""
    (hand,) = hands_in("STATE:0:cc:Qs|Ks:-1|1:a|b\n", "log", load_builtin("kuhn"))
    with pytest.raises(UnusableHistory, match="no words for this game, which is not hold'em"):
        written([hand], "pokerstars")


def test_players_keep_their_seats_and_names_differ():
    """Two of one name are told apart, and come back as they were."""
    game = load_builtin("hunl")
    log = "STATE:0:f:AcAd|7h6h:50|-50:Bot|Bot\nSTATE:1:f:AcAd|7h6h:50|-50:Bot|Bot\n"
    text = written(hands_in(log, "log", game), "pokerstars")
    assert text.count("Seat 2: Bot (2) ($20000 in chips)") == 2
    assert written(hands_in(text, "pokerstars"), "log") == log
    log = "STATE:0:f:AcAd|7h6h:50|-50:Ann|Bob\nSTATE:1:f:AcAd|7h6h:50|-50:Bob|Ann\n"
    text = written(hands_in(log, "log", game), "pokerstars")
    assert text.count("Seat 1: Ann ($20000 in chips)") == 2
    assert "Seat #1 is the button" in text.split("Hand #1:")[1]


def test_a_post_behind_a_long_seat_is_no_rest_of_it():
    """The two are together as long as a line that a mail program folds."""
    log = "STATE:1:f:AcAd|7h6h:50|-50:Ann|someone.with.a.name.1\n"
    text = written(hands_in(log, "log", load_builtin("hunl")), "pokerstars")
    assert written(hands_in(text, "pokerstars"), "log") == log


def test_names_may_look_like_lines():
    """Each is read as it was written."""
    names = ("Seat 2", "Dealt to x", "*** FLOP ***", "a: folds", "a", "x collected 5 from pot")
    others = ("u: posts v", "Hand #1", "(5 in chips)", "b (button) showed [Ac Ad] and won (7)")
    game = load_builtin("nolimit6")
    for seed in range(12):
        names = (*others, *names)[:6] if seed % 2 else names
        lines = random_log(game, seed, 6, np.random.default_rng(seed), names=names)
        log = "".join(f"{line}\n" for line in lines)
        text = written(hands_in(log, "log", game), "pokerstars")
        assert written(hands_in(text, "pokerstars"), "log") == log


@pytest.mark.parametrize("name", ["hunl", "nolimit3", "nolimit6"])
def test_pokerkit_reads_the_text(name):
    """The same stacks, cards, betting and payoffs, as far as it plays by ACPC's rules."""
    game = load_builtin(name)
    lines = random_log(game, 7, 16, np.random.default_rng(5))
    hands = hands_in("".join(f"{line}\n" for line in lines), "log", game)
    text = written(hands, "pokerstars")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        others = list(Notation.from_pokerstars(text, error_status=True))
    assert len(others) == len(hands)
    for hand, other in zip(hands, others, strict=True):
        *_, state = other
        right = [float(value) for value in hand.record.values]
        assert [float(one) for one in state.payoffs] == pytest.approx(right, abs=2)
        assert other.players == list(hand.record.names)
        assert other.starting_stacks == list(hand.game.stacks)
        # It finds no winnings, and shows unknown cards before it shows known ones
        other.winnings = None
        other.actions = [action for action in other.actions if "sm ????" not in action]
        again = only_hand(other.dumps())
        assert again.record.betting == hand.record.betting
        assert again.record.cards == hand.record.cards


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AcKd9h7s3c2d4h", "high card Ace"),
        ("6c6d9h7sKc2d4h", "a pair of Sixes"),
        ("AcAdKhKs3c2d4h", "two pair, Aces and Kings"),
        ("2c2d2hKs3c9d4h", "three of a kind, Deuces"),
        ("Ac2d3h4s5cKdKh", "a straight, Ace to Five"),
        ("AcKdQhJsTc2d2h", "a straight, Ten to Ace"),
        ("Ac9c7c5c2cKdKh", "a flush, Ace high"),
        ("AcAdAhKsKc2d4h", "a full house, Aces full of Kings"),
        ("6c6d6h6sKc2d4h", "four of a kind, Sixes"),
        ("5c6c7c8c9cKdKh", "a straight flush, Five to Nine"),
        ("TcJcQcKcAcKdKh", "a Royal Flush"),
    ],
)
def test_every_kind_of_hand_has_words(cards, words):
    """As PokerStars prints them."""
    assert hand_words(strength(parse_cards(cards))) == words
