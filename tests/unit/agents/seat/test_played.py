"""Bots that are started again in the middle of a match play on as they would have."""

import pytest

from agents.bot import Bot
from agents.roster.bots import ROSTER, find_agent
from agents.seat.played import earlier_views, hands_seen, show_played_hands, show_states
from agents.session import Session
from engine.play.record import hand_line
from engine.play.simulate import play_hand
from engine.rules.dealing import DealStream
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL, KUHN = load_builtin("hunl"), load_builtin("kuhn")
HANDS, BEGUN = 16, 10
NAMES = ["it", "other"]
QUICK = ("biased-random", "rule", "blueprint", "statistical", "astar", "cnn", "O6", "exploiter")


def match_lines(game, bots, first=0):
    """Return the log lines of a match from a hand on."""
    lines = []
    for hand, deal in zip(range(HANDS), DealStream(game, 5), strict=False):
        if hand < first:
            continue
        order = [(position + hand) % 2 for position in range(2)]
        sat = [bots[seat] for seat in order]
        players, watchers = [bot.act for bot in sat], [bot.observe for bot in sat]
        state, values = play_hand(game, deal, players, hand, watchers)
        for position, bot in enumerate(sat):
            bot.end_hand(PlayerView.of(state, deal, position, hand))
        lines.append(hand_line(hand, state, deal, values, [NAMES[seat] for seat in order]))
    return lines


def seated(game, name):
    """Return a bot and its opponent, started."""
    bots = [find_agent(name).build(), find_agent("uniform-random").build()]
    for seed, bot in enumerate(bots, 11):
        bot.warm_up()
        bot.start_match(game, seed)
    return bots


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(spec.name, marks=() if spec.name in QUICK else pytest.mark.slow)
        for spec in ROSTER
    ],
)
def test_every_shipped_bot_plays_on_as_it_would_have(tmp_path, name):
    """Built anew and, where it learns, shown the hands before: the rest to the chip."""
    game = KUHN if name == "equilibrium" else HUNL
    whole = match_lines(game, seated(game, name))
    log = tmp_path / "m.log"
    log.write_text("# a comment\n" + "\n".join(reversed(whole[:BEGUN])) + "\nSTATE:torn")
    bots = seated(game, name)
    told = {"ARENA_PLAYED_LOG": str(log), "ARENA_LABEL": "it"}
    assert show_played_hands(bots[0], game, told) == bots[0].learns
    assert match_lines(game, bots, BEGUN) == whole[BEGUN:]


class Witness(Bot):
    """Calls, and notes what it is told."""

    learns = True

    def __init__(self):
        self.told = []

    def act(self, view):
        self.told.append(("act", view))
        return view.call()

    def observe(self, view):
        self.told.append(("observe", view))

    def end_hand(self, view):
        self.told.append(("end", view))


def test_what_is_shown_is_what_was_seen(tmp_path):
    """The calls of a match, the other's cards hidden until a showdown, nothing for a stranger."""
    bots = [Witness(), find_agent("biased-random").build()]
    bots[1].start_match(HUNL, 3)
    log = tmp_path / "m.log"
    log.write_text("\n".join(match_lines(HUNL, bots)) + "\n")
    again = Witness()
    for views in hands_seen(log, "it", HUNL):
        show_states(again, views)
    assert again.told == bots[0].told
    assert not list(hands_seen(log, "somebody", HUNL))
    assert not list(hands_seen(log, "it", load_builtin("leduc")))
    assert not list(hands_seen(tmp_path / "none", "it", HUNL))
    told = {"ARENA_PLAYED_LOG": str(log), "ARENA_LABEL": "it"}
    assert not show_played_hands(bots[1], HUNL, told)
    assert not show_played_hands(Witness(), HUNL, {})


def test_the_hand_under_way_is_shown_with_its_first_message():
    """Once, and only to who is resumed."""
    line = b"MATCHSTATE:1:7:cr300c/cr200:|AhKd/2c3c4c\r\n".replace(b"cr200", b"r600")
    for resumed in (True, False):
        bot = Witness()
        session = Session(bot, HUNL, resumed=resumed)
        session.connected()
        session.receive(line)
        shown = [(what, view.state.betting) for what, view in bot.told]
        before = [("act", ""), ("observe", "c"), ("act", "cr300"), ("observe", "cr300c/")]
        assert shown == before * resumed + [("act", "cr300c/r600")]
        session.receive(b"MATCHSTATE:0:8::QsQd|\r\n")
        assert len(bot.told) == len(shown) + 1


def test_earlier_views_have_the_cards_of_their_street():
    """And no others."""
    state = replay_betting(HUNL, "cc/cc/r200")
    shown = tuple(parse_cards("AhKd") if seat == 1 else () for seat in range(2))
    view = PlayerView(state, 3, 1, shown, parse_cards("2c3c4c5d"))
    boards = [len(one.board) for one in earlier_views(view)]
    assert boards == [0, 0, 3, 3, 4]
    assert all(one.hole == view.hole and not one.shown[0] for one in earlier_views(view))
