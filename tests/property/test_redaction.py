"""No line to a seat ever shows a card which that seat may not see yet."""

import re

from hypothesis import given
from hypothesis import strategies as st

from dealer.server.table import Table
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.cards import CARD_TEXT
from protocol.gamedef import GameDef
from protocol.gamedefs import builtin_names, load_builtin


@st.composite
def games(draw: st.DrawFn) -> GameDef:
    """Any built-in game, or a random one."""
    if draw(st.booleans()):
        return load_builtin(draw(st.sampled_from(builtin_names())))
    players = draw(st.integers(2, 10))
    streets = draw(st.integers(1, 4))
    no_limit = draw(st.booleans())
    stacks = tuple(draw(st.lists(st.integers(1, 300), min_size=players, max_size=players)))
    board = [draw(st.integers(0, 2)) for _ in range(streets)]
    return GameDef(
        no_limit=no_limit,
        players=players,
        streets=streets,
        stacks=stacks,
        blinds=tuple(draw(st.integers(0, min(stack, 20))) for stack in stacks),
        raise_sizes=tuple(draw(st.integers(1, 20)) for _ in range(streets)),
        first_positions=tuple(draw(st.integers(0, players - 1)) for _ in range(streets)),
        max_raises=tuple(draw(st.integers(0, 4)) for _ in range(streets)),
        suits=4,
        ranks=13,
        hole_cards=draw(st.integers(1, 3)),
        board_cards=tuple(board),
    )


@given(games(), st.integers(0, 2**32 - 1), st.booleans(), st.data())
def test_no_message_shows_a_card_too_early(game, seed, fixed, data):
    """Own cards, the board so far, and after a showdown those who are in it: nothing else."""
    names = [f"P{seat}" for seat in range(game.players)]
    table = Table(game, seed, names, fixed_seats=fixed)
    for _ in range(3):
        while True:
            check_messages(table)
            if table.state.over:
                break
            table.apply(data.draw(st.sampled_from(legal_actions(table, data))))
        table.result()
        table.settle()
        assert abs(sum(table.totals)) < 1e-6, "chips are conserved"
        table.next_hand()


def legal_actions(table: Table, data: st.DataObject) -> list:
    state = table.state
    actions = [CALL]
    if state.can_fold:
        actions.append(FOLD)
    legal = state.raise_range()
    if legal is not None:
        size = data.draw(st.integers(*legal))
        actions.append(raise_to(size) if state.game.no_limit else RAISE)
    return actions


def check_messages(table: Table) -> None:
    game, state, deal = table.game, table.state, table.deal
    streets_seen = state.betting.count("/") + 1
    board = deal.board[: sum(game.board_cards[:streets_seen])]
    in_hand = [p for p in range(game.players) if not state.folded[p]]
    for seat, message in enumerate(table.messages()):
        position = table.position_of(seat)
        allowed = {*deal.holes[position], *board}
        if state.over and len(in_hand) > 1:
            allowed |= {card for p in in_hand for card in deal.holes[p]}
        cards = re.findall("[2-9TJQKA][cdhs]", message.rpartition(":")[2])
        assert len(cards) == len(set(cards))
        assert set(cards) == {CARD_TEXT[card] for card in allowed}
        assert message.startswith(f"MATCHSTATE:{position}:{table.hand_id}:{state.betting}:")
