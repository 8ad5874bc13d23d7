"""Open Hand History: what is read, what is written, what is refused with which words."""

import json
from decimal import Decimal

import numpy as np
import pytest

from engine.histories.formats import format_of
from engine.histories.hand import LeftOut
from engine.histories.ohh import VERSION, date_of_stamp, stamp_of_date
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, only_hand, why_left_out, written
from tests.helpers.random_logs import random_log


def act(player, action, amount=None, cards=None):
    told = {"action_number": 0, "player_id": player, "action": action, "is_allin": False}
    return (
        told
        | ({} if amount is None else {"amount": amount})
        | ({} if cards is None else {"cards": cards})
    )


def a_hand():
    """Somebody else's file, in money, with ids that are not seats."""
    return {
        "spec_version": "1.4.6",
        "site_name": "Elsewhere",
        "network_name": "Elsewhere",
        "internal_version": "3.1",
        "tournament": False,
        "game_number": "12345678901",
        "start_date_utc": "2020-04-07T14:32:50",
        "table_name": "Brest",
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL", "bet_cap": 0.00},
        "table_size": 6,
        "currency": "EUR",
        "dealer_seat": 8,
        "small_blind_amount": 0.01,
        "big_blind_amount": 0.02,
        "ante_amount": 0.00,
        "hero_player_id": 1,
        "flags": [],
        "players": [
            {"id": 0, "seat": 1, "name": "Ann", "starting_stack": 0.80, "player_bounty": 0},
            {"id": 1, "seat": 3, "name": "Bob", "starting_stack": 2.38},
            {"id": 2, "seat": 8, "name": "Cleo", "starting_stack": 2},
        ],
        "rounds": [
            {
                "id": 0,
                "street": "Preflop",
                "cards": "",
                "actions": [
                    act(0, "Post SB", 0.01),
                    act(1, "Post BB", 0.02),
                    act(1, "Dealt Cards", cards=["Ad", "10d"]),
                    act(2, "Raise", 0.06),
                    act(0, "Fold"),
                    act(1, "Raise", 0.16),
                    act(2, "Call", 0.12),
                ],
            },
            {
                "id": 1,
                "street": "Flop",
                "cards": ["2d", "3d", "4d"],
                "actions": [act(1, "Bet", 0.20), act(2, "Call", 0.2)],
            },
            {
                "id": 2,
                "street": "Turn",
                "cards": ["5c"],
                "actions": [act(1, "Check"), act(2, "Check")],
            },
            {
                "id": 3,
                "street": "River",
                "cards": ["9c"],
                "actions": [act(1, "Check"), act(2, "Check")],
            },
            {
                "id": 4,
                "street": "Showdown",
                "actions": [
                    act(1, "Shows Cards", cards=["Ad", "Td"]),
                    act(2, "Mucks Cards", cards=["Kc", "Ks"]),
                ],
            },
        ],
        "pots": [
            {
                "number": 0,
                "amount": 0.77,
                "rake": 0,
                "player_wins": [{"player_id": 1, "win_amount": 0.77}],
            }
        ],
    }


def text_of(hand, **form):
    return json.dumps({"ohh": hand}, **form) + "\n\n"


def test_a_hand_of_a_site_is_read():
    """Amounts are what actions put in, also raises; money is cents."""
    hand = only_hand(text_of(a_hand()), "ohh")
    assert format_hand(hand.record) == (
        "STATE:0:r6fr18c/r38c/cc/cc:|AdTd|KcKs/2d3d4d/5c/9c:-1|39|-38:Ann|Bob|Cleo # 1586269970"
    )
    assert (hand.scale, hand.game.stacks) == (100, (80, 238, 200))
    assert hand.fields["hand"] == 12345678901
    assert hand.fields["_ohh"] == {
        "site_name": "Elsewhere",
        "network_name": "Elsewhere",
        "internal_version": "3.1",
        "hero_player_id": 3,
    }


@pytest.mark.parametrize("form", [{}, {"indent": 4}, {"indent": "\t", "separators": (" ,", " : ")}])
def test_objects_stand_behind_one_another_however_they_are_laid_out(form):
    """On a line each, over many lines, with empty lines between them or none."""
    two = text_of(a_hand(), **form) * 2
    hands = hands_in(two, "ohh")
    assert [hand.record.betting for hand in hands] == ["r6fr18c/r38c/cc/cc"] * 2
    assert hands[1].line == two[: len(two) // 2].count("\n") + 1
    packed = two.replace("\n\n", "\n")
    assert [hand.record for hand in hands_in(packed, "ohh")] == [hand.record for hand in hands]


def test_a_hand_of_a_site_comes_back_from_a_log():
    """With its number, table, seats, date, money and what it says of the site."""
    hand = only_hand(text_of(a_hand()), "ohh")
    text = written([hand], "ohh")
    for between in ("log", "phhs", "pokerstars"):
        (again,) = hands_in(written([hand], between), between, hand.game)
        assert written([again], "ohh") == text
    told = json.loads(text)["ohh"]
    for key in ("site_name", "game_number", "table_name", "table_size", "currency", "dealer_seat"):
        assert told[key] == a_hand()[key]
    assert told["hero_player_id"] == 3
    assert told["pots"] == [
        {
            "number": 0,
            "amount": 0.77,
            "rake": 0,
            "player_wins": [{"player_id": 3, "win_amount": 0.77}],
        }
    ]


def test_pots_may_hold_an_uncalled_bet():
    """Or not; what the players put in decides."""
    told = a_hand()
    del told["rounds"][2:]
    told["rounds"][1]["actions"][1] = act(2, "Fold")
    for pot in (0.37, 0.57):
        told["pots"][0] |= {"amount": pot}
        told["pots"][0]["player_wins"][0]["win_amount"] = pot
        assert only_hand(text_of(told), "ohh").record.values == ("-1", "19", "-18")


def test_a_hand_of_a_log_has_all_that_the_standard_asks_for():
    """Its keys, in chips, with nobody as hero and no date."""
    log = "STATE:5:r300c/cr800f:AcAd|7h6h/Jc3d5c:-300|300:Ann|Bob\n"
    hands = hands_in(log, "log", load_builtin("hunl"))
    told = json.loads(written(hands, "ohh"))["ohh"]
    assert a_hand().keys() == told.keys()
    assert told["spec_version"] == VERSION == "1.4.6"
    assert (told["hero_player_id"], told["start_date_utc"]) == (None, "1970-01-01T00:00:00Z")
    assert told["bet_limit"] == {"bet_type": "NL", "bet_cap": 0}
    assert [(one["action"], one["amount"]) for one in told["rounds"][0]["actions"]] == [
        ("Post SB", 50),
        ("Post BB", 100),
        ("Dealt Cards", 0),
        ("Dealt Cards", 0),
        ("Raise", 250),
        ("Call", 200),
    ]
    assert told["pots"][0]["amount"] == 600
    assert told["dealer_seat"] == next(
        one["seat"] for one in told["players"] if one["name"] == "Bob"
    )


def test_files_are_streams():
    """An object a line, an empty line behind each."""
    lines = random_log(load_builtin("nolimit6"), 3, 5, np.random.default_rng(1))
    hands = hands_in("".join(f"{line}\n" for line in lines), "log", load_builtin("nolimit6"))
    text = written(hands, "ohh")
    assert text.count('\n\n{"ohh":') == 4
    assert text.count("\n") == 10


def test_dates_are_unix_times():
    """In UTC or with an offset, with as many digits as they have."""
    assert stamp_of_date("2020-04-07T14:32:50+02:00") == "1586262770"
    assert stamp_of_date("2020-04-07T14:32:50.25Z") == "1586269970.25"
    assert stamp_of_date("yesterday") is None
    assert date_of_stamp("1586269970.25") == "2020-04-07T14:32:50.250000Z"
    assert date_of_stamp("1586269970.123456789") is None
    assert date_of_stamp(None) == "1970-01-01T00:00:00Z"


def broken(**changes):
    return text_of(a_hand() | changes)


def with_action(kind, amount=None):
    told = a_hand()
    told["rounds"][0]["actions"][3] = act(2, kind, amount)
    return text_of(told)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (broken(game_type="Omaha"), "'Omaha' is not read; hold'em is"),
        (broken(bet_limit={"bet_type": "PL"}), "hold'em with betting 'PL'; NL and FL are read"),
        (broken(ante_amount=0.01), "antes, which no game definition has"),
        (with_action("Post Ante", 0.01), "antes, which no game definition has"),
        (with_action("Post Dead", 0.01), "post dead: a blind that no game definition has"),
        (with_action("Dance"), "no action of hold'em: 'Dance'"),
        (with_action("Raise", 0.03), "pots of 0.77, but the players put in 0.74"),
        (with_action("Call"), "pots of 0.77, but the players put in 0.71"),
        (broken(players=7), "players is not as the standard has it: '7'"),
        (broken(players=[7]), "players is not as the standard has it: '7'"),
        (broken(dealer_seat="8"), "dealer_seat is not as the standard has it: '8'"),
        (broken(pots=[]), "pots of 0, but the players put in 0.77"),
        (broken(pots=[{"amount": 0.77, "rake": 0.05}]), "rake: 0.05, which no log can say"),
        (broken(rounds=[{"street": "Turn"}]), "round 0 is called 'Turn'"),
        ('{"ohh": {}}\n', "None is not read; hold'em is"),
        ('{"ohh": 3}\n', 'no Open Hand History: an object with "ohh"'),
        ('{"ohh": {"game_type": "Hold\n', "no JSON: Unterminated string"),
        ('{"ohh": {"a": 1e99999}}\n', "no JSON: no number of chips: 1e99999"),
        ('{"ohh": {"a": ' + "9" * 5000 + "}}\n", "no JSON: no number of chips: 999"),
        ('{"ohh": ' + "[" * 100_000 + "\n", "no JSON: maximum recursion depth exceeded"),
        ('{"ohh": {"a": NaN}}\n', "no JSON: no number of chips: NaN"),
    ],
)
def test_what_is_not_so_is_refused_by_name(text, words):
    """One clear line; nothing is guessed."""
    assert words in why_left_out(text, "ohh")


def test_an_action_that_is_lost_is_missed():
    """By the numbers of those around it; blinds by the button and the stakes."""
    game = load_builtin("nolimit6")
    log = "STATE:7:fffr200ff:|||||:-50|-100|0|0|0|150:a|b|c|d|e|f\n"
    told = json.loads(written(hands_in(log, "log", game), "ohh"))["ohh"]
    (preflop,) = told["rounds"]
    fold = preflop["actions"].pop(4)
    assert "round 0 has no action between 3 and 5" in why_left_out(text_of(told), "ohh")
    preflop["actions"].insert(4, fold)
    assert only_hand(text_of(told), "ohh").record.names == tuple("abcdef")
    for change in ({"dealer_seat": 5}, {"small_blind_amount": 60}):
        why = why_left_out(text_of(told | change), "ohh")
        assert why.startswith("the blinds behind the button are not ")


def test_a_file_that_breaks_off_tells_the_last_hand():
    """The others go over."""
    text = text_of(a_hand()) * 2
    first, second = hands_in(text[:-500], "ohh")
    assert first.record.values == ("-1", "39", "-38")
    assert isinstance(second, LeftOut)
    assert second.line == 3


def test_keys_of_objects_in_lists_are_kept():
    """Hole cards in the list of players are dealt; all else stands in a field, and comes back."""
    told = a_hand()
    told["players"][0] |= {"cards": ["Kh", "10h"], "player_bounty": 2.5, "display": "A. N."}
    told["players"][1] |= {"is_sitting_out": True}
    told["rounds"][1]["actions"][0]["bounty"] = 0.25
    told["pots"][0]["player_wins"][0]["bounty_won"] = 1
    told["bet_limit"]["bet_cap"] = 4
    text = json.dumps({"id": "x1", "ohh": told, "_profits": {"Ann": -1}})
    assert format_of(text.encode(), "x.txt").name == "ohh"
    hand = only_hand(text, "ohh")
    assert hand.record.cards.startswith("KhTh|AdTd|")
    assert hand.fields["_ohh"]["_keys"] == {
        "../id": "x1",
        "../_profits": {"Ann": -1},
        "bet_limit/bet_cap": 4,
        "players/0/player_bounty": Decimal("2.5"),
        "players/0/display": "A. N.",
        "players/1/is_sitting_out": True,
        "rounds/1/actions/0/bounty": Decimal("0.25"),
        "pots/0/player_wins/0/bounty_won": 1,
    }
    for between in ("ohh", "phhs", "log", "pokerstars"):
        (again,) = hands_in(written([hand], between), between, hand.game)
        assert again.fields["_ohh"] == hand.fields["_ohh"]


def test_keys_that_no_text_can_have_are_told():
    """JSON may hold halves of characters, which no file in UTF-8 does."""
    told = a_hand() | {"remark": "\ud800"}
    assert only_hand(text_of(told), "ohh").notes[0].startswith("not in UTF-8, and lost: ")
