"""The modeller in the seats of recorded players, and what is trained from logs, on every log."""

from contextlib import suppress
from itertools import islice

import pytest

from agents.errors import TrainingError
from agents.statistical.learning.log_decisions import read_logs
from agents.statistical.variants import ModellerVariant, VariantSettings
from agents.training.logs import logged_hands
from engine.equity.strength import StrengthReader
from engine.errors import EngineError
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.betting import parse_betting
from protocol.errors import GameDefError, ProtocolError
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from protocol.matchstate import parse_card_text

HANDS = 6


def views(game, record, position):
    """Yield what a player saw whenever it had to act, and at the end."""
    cards = parse_card_text(record.cards, game)
    state = HandState.start(game)
    for street in parse_betting(record.betting):
        for action in street:
            if state.actor == position:
                own = tuple(
                    hole if seat == position else () for seat, hole in enumerate(cards.holes)
                )
                seen = cards.board[: game.board_seen(state.street)]
                yield PlayerView(state, record.hand_id, position, own, seen)
            state = state.apply(action)
    shown = tuple(
        hole if seat == position or state.showdown else () for seat, hole in enumerate(cards.holes)
    )
    yield PlayerView(state, record.hand_id, position, shown, cards.board)


def games_of(folder):
    """Return what a log without a header that is found may be of."""
    found = [load_builtin("hunl"), load_builtin("hulhe")]
    for path in sorted(folder.rglob("*.game")):
        with suppress(GameDefError):  # some are there to be refused
            game = parse_gamedef(path.read_bytes())
            if game not in found:
                found.append(game)
    return found


def hands_of(log, games):
    """Return the game and the first hands of a log; no hands where it is of no such game."""
    for game in (None, *games):
        try:
            hands = [(one, hand) for one, hand, _ in islice(logged_hands(log, game), HANDS)]
            for one, hand in hands:
                state = HandState.start(one)
                for action in (a for street in parse_betting(hand.betting) for a in street):
                    state = state.apply(action)
                assert state.over
                parse_card_text(hand.cards, one)
        except (TrainingError, EngineError, ProtocolError, AssertionError):
            continue
        if hands:
            return hands[0][0], [hand for _, hand in hands]
    return None, []


@pytest.mark.slow
def test_no_log_makes_it_fail(shared_data):
    """Every decision of both players of every log for two: an action that is legal."""
    games, strengths = games_of(shared_data), StrengthReader()
    played = decisions = 0
    for log in sorted(shared_data.rglob("*.log")):
        game, hands = hands_of(log, games)
        if not hands or game.players != 2:
            continue
        for position in range(2):
            bot = ModellerVariant(VariantSettings(bin_samples=0, confidence=0), strengths=strengths)
            try:
                bot.start_match(game, 1)
            except ValueError:  # no hold'em
                break
            for hand in hands:
                *acting, end = views(game, hand, position)
                for view in acting:
                    view.state.apply(bot.act(view))
                    decisions += 1
                bot.end_hand(end)
            played += 1
    assert played >= 50
    assert decisions >= 400


@pytest.mark.slow
def test_every_log_is_read_or_refused_by_name(shared_data):
    """What is no hold'em, and what is no log, ends with a line that names the file."""
    games, read, refused = games_of(shared_data), 0, {}
    for log in sorted(shared_data.rglob("*.log")):
        game, hands = hands_of(log, games)
        try:
            read += len(read_logs([log], game)) > 0 if hands else 0
        except TrainingError as error:
            refused[str(log)] = str(error)
    assert all(name in error for name, error in refused.items())
    assert read >= 60
