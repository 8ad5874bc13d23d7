"""The planes of a decision, cell by cell from the rules' own states: slow and obvious."""

from __future__ import annotations

import math

import numpy as np

from agents.poker_cnn.planes import PLANES, SIDE


def slow_planes(state, hole, board, p, big_blind=None):
    """Return (16, 17, 17) of whoever acts in `state`; `board` as far as it is seen."""
    game, me = state.game, state.actor
    big_blind = big_blind or max(game.blinds)
    planes = np.zeros((PLANES, SIDE, SIDE))
    for plane, card in zip((0, 1), in_order(hole), strict=True):
        light(planes, plane, card)
    for plane, card in zip((2, 3, 4), in_order(board[:3]), strict=False):
        light(planes, plane, card)
    for plane, card in zip((5, 6), board[3:], strict=False):
        light(planes, plane, card)
    planes[8, : state.street + 1, :] = 1
    on_button = (
        game.blinds[me] < game.blinds[1 - me] if game.players == 2 else me == game.players - 1
    )
    planes[8, 8:, :] = on_button
    stack, spent = game.stacks[me], state.spent[me]
    whole = math.log(1 + 2 * min(stack / big_blind, 200))
    planes[9, :8] = math.log(1 + state.pot / big_blind) / whole
    planes[9, 8:] = (stack - spent) / (stack - spent + state.pot)
    planes[10, :8] = state.to_call / (state.to_call + state.pot)
    planes[10, 8:] = math.log(1 + state.to_call / big_blind) / whole
    top = dict.fromkeys(range(game.players), 1.0)
    own, others, earlier = 0, 0, [0] * 4
    for before, action, after in state.steps():
        who = before.actor
        size = 0.0
        if action.kind == "r":
            size = (after.to_match - before.to_match) / (before.pot + before.to_call)
        elif action.kind == "c" and before.to_call:
            size = before.to_call / (before.pot - before.to_call)
        top[who] /= 1 + size
        if action.kind == "f":
            del top[who]
        kind = {"f": None, "c": "c" if before.to_call else "k", "r": "r"}[action.kind]
        if before.street == state.street:
            plane, column = (11, min(own, 16)) if who == me else (12, min(others, 16))
            own, others = own + (who == me), others + (who != me)
            planes[plane, :, column] = bar(kind, size, 17, 1)
        else:
            column = 5 * before.street + min(earlier[before.street], 4)
            earlier[before.street] += 1
            planes[13, :, column] = 0
            rows = slice(0, 8) if who == me else slice(8, 17)
            planes[13, rows, column] = bar(kind, size, 8 if who == me else 9, 2)
    planes[14] = p
    planes[15] = 1 - min(share for player, share in top.items() if player != me) / 2
    return planes


def bar(kind, size, rows, rows_a_step):
    lit = {None: 0, "k": 1, "c": 2}.get(kind)
    if lit is None:
        steps = min(max(round(4 * math.log2(1 + size)), 1), 14)
        lit = 2 + math.ceil(steps / rows_a_step)
    return [float(row < lit) for row in range(rows)]


def in_order(cards):
    return sorted(cards, key=lambda card: (card >> 2, card & 3), reverse=True)


def light(planes, plane, card):
    row, column = 3 - (card & 3), card >> 2
    planes[plane, row, column] = planes[7, row, column] = 1
