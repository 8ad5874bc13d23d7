"""What a dealer says in hands whose players do anything that is legal."""

from collections.abc import Iterator

import numpy as np

from engine.rules.dealing import Deal, DealStream
from engine.rules.replies import read_action
from engine.rules.state import HandState
from engine.rules.view import CardTexts
from protocol.gamedef import GameDef
from protocol.matchstate import MatchState


def random_messages(
    game: GameDef, hands: int, seed: int, caller: int = -1
) -> Iterator[tuple[HandState, Deal, int, MatchState]]:
    """Yield the state, the cards, a position and the message to it, for all of each state.

    Position `caller` only calls.
    """
    rng = np.random.default_rng(seed)
    for hand_id, deal in zip(range(hands), DealStream(game, seed), strict=False):
        state, texts = HandState.start(game), CardTexts(game, deal)
        while True:
            for position in range(game.players):
                text = texts.text(state, position)
                yield state, deal, position, MatchState(position, hand_id, state.betting, text)
            if state.over:
                break
            answer = b"c" if state.actor == caller else _random_answer(rng, state)
            state = state.apply(read_action(state, answer + b"\r\n").action)


def _random_answer(rng: np.random.Generator, state: HandState) -> bytes:
    limits = state.raise_range()
    sizes = [*limits, rng.integers(*limits, endpoint=True)] if limits else [0]
    size = b"%d" % rng.choice(sizes) if state.game.no_limit else b""
    return [b"f", b"c", b"c", b"r" + size][rng.integers(4)]
