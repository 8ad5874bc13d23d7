"""What is told of a match, whatever the server says of it."""

import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.relay.relay import MatchWish, Relay, RelaySettings, match_line
from dealer.relay.server_calls import Server, parse_url
from dealer.relay.shown_deals import ShownDeals
from protocol.deals import phrase_digest

WISH = MatchWish("Ann", "1", "kuhn", 10, None, pairs=True, rated=True, words="")
DIGEST = phrase_digest("lucky")
FINISHED = {
    "state": "finished",
    "first": {"bot": "bob"},
    "second": {"bot": "ann"},
    "hands_played": 20,
    "best": {"estimator": "all-in", "mbb_per_hand": 12.5, "ci95_mbb_per_hand": 3.25},
}


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({}, "against bob: -12.5 ± 3.2 mbb per hand over 20 hands (all-in)"),
        (
            {"first": {"bot": "ANN"}, "second": {"bot": "eve"}},
            "against eve: +12.5 ± 3.2 mbb per hand over 20 hands (all-in)",
        ),
        ({"best": None}, "against bob: finished after 20 hands; no estimate"),
        ({"best": {"mbb_per_hand": "x"}}, "against bob: finished after 20 hands; no estimate"),
        (
            {"state": "forfeited", "forfeited_by": "bob", "detail": "it left"},
            "against bob: forfeited by bob: it left",
        ),
        ({"state": "void", "detail": "late"}, "against bob: not counted: late"),
        ({"state": None, "first": 3}, "against ?: not counted: no reason"),
    ],
)
def test_the_end_of_a_match_is_one_line(change, line):
    """From the bot's view."""
    assert match_line({**FINISHED, **change}, WISH) == line


@pytest.fixture
def relay(tmp_path):
    """One that has asked for a match."""
    bot = Participant("bot", BotKind.COMMAND, ("bot",))
    server = Server(parse_url("http://127.0.0.1:9"), "token")
    relay = Relay(server, WISH, bot, RelaySettings(1, 1, 1.0, tmp_path), lambda _line: None)
    relay._phrases[DIGEST] = "lucky"
    return relay


def test_words_are_said_for_the_first_match_alone(relay):
    """A host who has heard them could bind himself anew, in another match."""
    first = ShownDeals("1", "c" * 64, (DIGEST,))
    assert relay._phrase_for(ShownDeals("1", "c" * 64, ())) == ""
    assert relay._phrase_for(first) == "lucky"
    assert relay._phrase_for(ShownDeals("1", "d" * 64, (DIGEST,))) == ""
    assert relay._phrase_for(ShownDeals("2", "c" * 64, (DIGEST,))) == ""
    assert relay._phrase_for(first) == "lucky"


def test_words_are_not_said_without_a_commitment(relay):
    """Nor later, when there is one."""
    assert relay._phrase_for(ShownDeals("1", "", (DIGEST,))) == ""
    assert relay._phrase_for(ShownDeals("1", "c" * 64, (DIGEST,))) == ""
