"""Obvious version of engine.play: the same policies, called hand by hand over the slow rules."""

import numpy as np

from engine.equity.equity_tables import equity
from engine.equity.percentiles import percentile
from engine.play.draws import decision_draws, seating_seed
from engine.play.simulate import play_hand
from engine.play.spot import Spot
from engine.rules.dealing import DealStream
from engine.rules.fast_state import CALL, FOLD, RAISE
from protocol.betting import parse_betting

KINDS = {"f": FOLD, "c": CALL, "r": RAISE}


class SlowPlayer:
    """A compiled policy as a player of `engine.play.simulate`."""

    def __init__(self, policy, seating=0):
        """Begin a match."""
        self.family, self.params = policy.family, policy.params
        self.seed = seating_seed(policy.seed, seating)
        self.memory = np.zeros(policy.family.memory)
        self.begin_hand()

    def begin_hand(self):
        """Forget what belongs to the last hand."""
        self.told = 0
        self.decisions = 0

    def act(self, view):
        """Decide, after hearing of what was done since the last time."""
        self.hear(view.state, view.position, view.hole, view.board, view.hand_id)
        spot = spot_of(view.state, view.hole, view.board, view.hand_id)
        draws = decision_draws(self.seed, view.hand_id, self.decisions)
        self.decisions += 1
        kind, chips = self.family.decide(spot, self.params, self.memory, draws)
        if kind == FOLD:
            return view.fold()
        return view.raise_to(chips) if kind == RAISE else view.call()

    def hear(self, final, position, hole, board, hand_id):
        """Observe the actions of `final` that are new, by playing the hand from its start."""
        state = final.start(final.game)
        actions = [action for street in parse_betting(final.betting) for action in street]
        for number, action in enumerate(actions):
            mine = state.actor == position
            spot = spot_of(state, hole if mine else None, board, hand_id)
            state = state.apply(action)
            if number >= self.told:
                raised = state.to_match if action.kind == "r" else 0
                self.family.observe(spot, KINDS[action.kind], raised, mine, self.memory)
        self.told = len(actions)


def spot_of(state, hole, board, hand_id):
    """Return the spot of whoever acts; `hole` None where it is not to be seen."""
    game, actor = state.game, state.actor
    streets = [[action.kind for action in street] for street in parse_betting(state.betting)] + [[]]
    street = state.street
    if street > 0:
        raisers = raisers_of(state, street - 1)
    aggressor = -1 if street == 0 or not raisers else int(raisers[-1] == actor)
    seen = board[: game.board_seen(street)]
    p = share = -1.0
    if hole is not None:
        p = equity(hole, seen)
        share = percentile(street, p)
    low, high = state.raise_range() or (0, 0)
    return Spot(
        hand=hand_id,
        street=street,
        button=int(game.blinds[actor] < game.blinds[1 - actor]),
        big_blind=max(game.blinds),
        stack=game.stacks[actor],
        pot=sum(state.spent),
        to_match=state.to_match,
        spent=state.spent[actor],
        to_call=min(state.to_match, game.stacks[actor]) - state.spent[actor],
        low=low,
        high=high,
        raises=streets[street].count("r"),
        raises_before=sum(kinds.count("r") for kinds in streets[:street]),
        aggressor=aggressor,
        p=p,
        percentile=share,
        hole=np.array((-1, -1) if hole is None else hole, np.int64),
        board=np.array([*seen, *[-1] * (5 - len(seen))], np.int64),
    )


def raisers_of(final, street):
    """Return the positions that raised on a street, in order."""
    state = final.start(final.game)
    raisers = []
    for number, actions in enumerate(parse_betting(final.betting)):
        for action in actions:
            if number == street and action.kind == "r":
                raisers.append(state.actor)
            state = state.apply(action)
    return raisers


def play_slowly(game, pair, hands, seed, seating=0):
    """Return chips won by the first player, the betting of each hand, and both memories."""
    players = [SlowPlayer(policy, seating) for policy in pair]
    won, betting = [], []
    for hand, deal in zip(range(hands), DealStream(game, seed), strict=False):
        order = [(position + hand + seating) % 2 for position in range(2)]
        seated = [players[player] for player in order]
        for player in players:
            player.begin_hand()
        state, values = play_hand(game, deal, [player.act for player in seated], hand)
        for position, player in enumerate(seated):
            player.hear(state, position, deal.holes[position], deal.board, hand)
            other = deal.holes[1 - position]
            shown = equity(other, deal.board) if state.showdown else -1.0
            player.family.finish(player.memory, shown, values[position])
        won.append(values[order.index(0)])
        betting.append(state.betting)
    return won, betting, [player.memory for player in players]
