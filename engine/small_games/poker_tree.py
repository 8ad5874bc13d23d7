"""The tree of any small game that an ACPC game file can express, by the engine's own rules.

Histories are (hole cards of position 0, 1, ..., actions and board cards as they come): hole cards
and the new cards of a street as tuples of cards, actions as on the wire: "f", "c", "r", "r4".
Players are positions.  An information set is named as the end of a match-state line, the betting
and the cards seen: "cr:K" or "crrc/c:K/Q".  A bot uses the same names, see `info_set_name`.

Where suits cannot matter, cards are told by rank alone: with fewer than five cards there is no
flush, with one suit there is nothing to tell.  Equilibria and exploitability are the same, and so
is every iteration of regret matching; the tree is smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Final, cast

from engine.abstraction.lossless import FLUSH_CARDS
from engine.errors import InvalidGame
from engine.rules.state import HandState
from engine.showdown.hand_values import hand_values
from engine.small_games.game_tree import (
    Chance,
    Decision,
    GameTree,
    History,
    Node,
    Settled,
    build_tree,
)
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.cards import CARD_TEXT
from protocol.gamedef import GameDef

MOST_NODES: Final = 1_000_000
"""They take about a gigabyte and half a minute."""
_Cards = tuple[list[list[int]], list[int]]
_MOST_BETTING_POINTS: Final = 20_000


def poker_tree(game: GameDef, most_nodes: int = MOST_NODES) -> GameTree:
    """Return a game's tree.

    Raises:
        InvalidGame: it has more than `most_nodes` nodes, by a quick count that is an upper bound.
    """
    check_size(game, most_nodes)
    return build_tree(_PokerTree(game).describe, game.players)


def check_size(game: GameDef, most_nodes: int = MOST_NODES) -> None:
    """Raise InvalidGame for a game whose tree would have more than `most_nodes` nodes."""
    nodes = _count_nodes(game, most_nodes)
    if nodes is None or nodes > most_nodes:
        most = f"than {most_nodes:,} nodes"
        many = f"far more {most}" if nodes is None else f"up to {nodes:,}, more {most}"
        raise InvalidGame(f"the game is too large to be written out: its tree has {many}")


def told_by_rank(game: GameDef) -> bool:
    """Return whether the cards of a game need only be told by rank."""
    few = game.hole_cards + game.board_total < FLUSH_CARDS
    return game.suits == 1 or (few and not game.dealt_cards)


def info_set_name(
    state: HandState, hole: Sequence[int], board: Sequence[int], *, by_rank: bool
) -> str:
    """Return the name of the information set of the player to act.

    Args:
        hole: the actor's hole cards, in any order.
        board: the open cards, in deal order.
        by_rank: `told_by_rank` of the game.
    """
    game = state.game
    texts = [_told(hole, by_rank)]
    for street in range(state.street + 1):
        board_size = game.board_seen(street)
        if new := board[board_size - game.board_cards[street] : board_size]:
            texts.append(_told(new, by_rank))
    return f"{state.betting}:{'/'.join(texts)}"


def place_of(game: GameDef, history: History) -> tuple[HandState, tuple[int, ...], tuple[int, ...]]:
    """Return the state at a decision of a game's tree, the actor's hole cards and the board.

    Args:
        history: of the node.  Cards told by rank alone come back as cards that all differ.
    """
    state, drawn = HandState.start(game), list[tuple[int, ...]]()
    for step in history:
        if isinstance(step, tuple):
            drawn.append(step)
        else:
            state = state.apply(next(a for a in legal_actions(state) if a.text == step))
    board = [card for cards in drawn[game.players :] for card in cards]
    holes, shown = _as_cards(game, [drawn[state.actor]], board)
    return state, tuple(holes[0]), tuple(shown)


def _told(cards: Sequence[int], by_rank: bool) -> str:
    texts = [CARD_TEXT[card] for card in sorted(cards, reverse=True)]
    return "".join(text[0] for text in texts) if by_rank else "".join(texts)


class _PokerTree:
    """Describes the node after a history; caches the betting."""

    def __init__(self, game: GameDef) -> None:
        self._game = game
        self._by_rank = told_by_rank(game)
        self._states: dict[tuple[str, ...], HandState] = {(): HandState.start(game)}
        self._actions: dict[str, tuple[Action, ...]] = {}
        self._cards: dict[tuple[tuple[int, ...], ...], _Cards] = {}

    def describe(self, history: History) -> Node:
        """Return the node after `history`."""
        game = self._game
        drawn = [cast(tuple[int, ...], step) for step in history if not isinstance(step, str)]
        if len(drawn) < game.players:
            return self._deal(drawn, len(drawn), game.hole_cards)
        state = self._state(tuple(step for step in history if isinstance(step, str)))
        if not state.over or state.showdown:
            streets = [s for s in range(state.street + 1) if game.board_cards[s]]
            shown = len(drawn) - game.players
            if shown < len(streets):
                return self._deal(drawn, None, game.board_cards[streets[shown]])
        if state.over:
            return Settled(hand_values(state, *self._shown(state, drawn)))
        board = [card for new in drawn[game.players :] for card in new]
        name = info_set_name(state, drawn[state.actor], board, by_rank=self._by_rank)
        return Decision(state.actor, name, tuple(action.text for action in self._legal(state)))

    def _shown(self, state: HandState, drawn: Sequence[tuple[int, ...]]) -> _Cards:
        """Return the cards of a finished hand that decide it; without a showdown there are none."""
        dealt = tuple(drawn) if state.showdown else ()
        shown_cards = self._cards.get(dealt)
        if shown_cards is None:
            board = [card for new in dealt[self._game.players :] for card in new]
            holes = dealt[: self._game.players]
            shown_cards = self._cards[dealt] = _as_cards(self._game, holes, board)
        return shown_cards

    def _deal(self, drawn: Sequence[Sequence[int]], position: int | None, count: int) -> Chance:
        deck = _left(self._game, drawn, position, by_rank=self._by_rank)
        ways = dict(_draws(deck, count))
        total = sum(ways.values())
        return Chance(tuple(ways), tuple(number / total for number in ways.values()))

    def _state(self, actions: tuple[str, ...]) -> HandState:
        state = self._states.get(actions)
        if state is None:
            spot = self._state(actions[:-1])
            taken = next(a for a in self._legal(spot) if a.text == actions[-1])
            state = self._states[actions] = spot.apply(taken)
        return state

    def _legal(self, state: HandState) -> tuple[Action, ...]:
        actions = self._actions.get(state.betting)
        if actions is None:
            actions = self._actions[state.betting] = legal_actions(state)
        return actions


def legal_actions(state: HandState) -> tuple[Action, ...]:
    """Return all legal actions of the actor: fold, call, raises from the smallest on."""
    actions = [FOLD, CALL] if state.can_fold else [CALL]
    sizes = state.raise_range()
    if sizes is not None and state.game.no_limit:
        actions += map(raise_to, range(sizes[0], sizes[1] + 1))
    elif sizes is not None:
        actions.append(RAISE)
    return tuple(actions)


def _left(
    game: GameDef, drawn: Sequence[Sequence[int]], position: int | None, *, by_rank: bool
) -> dict[int, int]:
    """Return how many cards of each kind are left for a position or, if None, for the board.

    A kind is a card, or one card that stands for all of its rank.
    """
    listed = game.dealt_cards[position] if game.dealt_cards and position is not None else game.deck
    kinds = Counter(_kind(game, card, by_rank) for card in listed)
    kinds.subtract(card for cards in drawn for card in cards if card in kinds)
    return {kind: number for kind, number in sorted(kinds.items()) if number}


def _kind(game: GameDef, card: int, by_rank: bool) -> int:
    return (card | 3) if by_rank else card  # the deck always has its highest suit


def _draws(supply: dict[int, int], count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every draw of `count` cards, highest first, with the number of ways it comes."""
    for cards in combinations_with_replacement(sorted(supply, reverse=True), count):
        if ways := prod(comb(supply[kind], number) for kind, number in Counter(cards).items()):
            yield cards, ways


def _as_cards(game: GameDef, holes: Sequence[Sequence[int]], board: Sequence[int]) -> _Cards:
    """Return kinds as cards that can be compared: one hand's cards all differ."""
    if game.suits == 1 or not told_by_rank(game):
        return [list(hole) for hole in holes], list(board)
    shown = _suited(board, Counter())
    met = Counter(board)
    return [_suited(hole, met) for hole in holes], shown


def _suited(kinds: Sequence[int], met: Counter[int]) -> list[int]:
    """Return a card for each kind, with the next suit for each one met before."""
    counts, cards = Counter(met), []
    for kind in kinds:
        cards.append(kind - counts[kind])
        counts[kind] += 1
    return cards


def _count_nodes(game: GameDef, most_nodes: int) -> int | None:
    """Return an upper bound of the number of nodes, None where the betting is too large."""
    points = _bettings(game)
    if points is None:
        return None
    by_rank = told_by_rank(game)
    kinds = game.ranks if by_rank else len(game.deck)
    draws = comb(kinds + game.hole_cards - 1, game.hole_cards) if by_rank else 0
    deals, nodes = 1, 1
    for position in range(game.players):
        if game.dealt_cards:
            deals *= comb(len(game.dealt_cards[position]), game.hole_cards)
        else:
            deck_size = len(game.deck) - position * game.hole_cards
            deals *= (
                min(draws, comb(deck_size, game.hole_cards))
                if by_rank
                else comb(deck_size, game.hole_cards)
            )
        nodes += deals
    deck_size = len(game.deck) - game.players * game.hole_cards
    for street, new in enumerate(game.board_cards):
        deals *= (
            min(comb(kinds + new - 1, new), comb(deck_size, new))
            if by_rank
            else comb(deck_size, new)
        )
        deck_size -= new
        nodes += deals * points[street]
        if nodes > 10 * most_nodes:
            return None
    return nodes


def _bettings(game: GameDef) -> list[int] | None:
    """Return the number of points of the betting on each street, None for very many.

    The end of a street counts for the next one, too: a node of chance.
    """
    points = [0] * game.streets
    waiting = [HandState.start(game)]
    state_count = 0
    while waiting:
        state = waiting.pop()
        state_count += 1
        if state_count > _MOST_BETTING_POINTS:
            return None
        points[state.street] += 1
        if state.over:
            first_street = state.history[-1][0].street if state.history else 0
            for street in range(first_street, state.street + state.showdown):
                points[street] += 1  # all-in: chance deals the rest
            continue
        if state.history and state.history[-1][0].street < state.street:
            points[state.street - 1] += 1
        sizes = state.raise_range()
        if sizes and game.no_limit and sizes[1] - sizes[0] > _MOST_BETTING_POINTS:
            return None
        waiting += [state.apply(action) for action in legal_actions(state)]
    return points
