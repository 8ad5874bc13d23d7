"""Random games and random play for the property tests of the rules."""

from hypothesis import strategies as st

from protocol.gamedef import UNLIMITED_RAISES, UNLIMITED_STACK, GameDef


@st.composite
def games(draw, *, no_limit=None):
    """Any game the rules must cope with: blinds and antes anywhere, short and endless stacks."""
    players = draw(st.integers(2, 10))
    streets = draw(st.integers(1, 4))
    small = st.integers(1, 60)
    one_stack = draw(st.one_of(small, st.integers(1, 4000), st.just(UNLIMITED_STACK)))
    stacks = [draw(st.one_of(st.just(one_stack), small)) for _ in range(players)]
    blinds = [min(draw(st.sampled_from((0, 0, 1, 5, 10, 50))), stack) for stack in stacks]
    if no_limit is None:
        no_limit = draw(st.booleans())

    def per_street(values):
        return tuple(draw(values) for _ in range(streets))

    hole_cards = draw(st.integers(1, 3))
    board = []
    for _ in range(streets):
        board.append(draw(st.integers(0, min(3, 7 - sum(board)))))
    return GameDef(
        no_limit=no_limit,
        players=players,
        streets=streets,
        stacks=tuple(stacks),
        blinds=tuple(blinds),
        raise_sizes=() if no_limit else per_street(st.integers(0, 40)),
        first_positions=per_street(st.integers(0, players - 1)),
        max_raises=per_street(st.sampled_from((0, 1, 3, 4, UNLIMITED_RAISES))),
        suits=4,
        ranks=13,
        hole_cards=hole_cards,
        board_cards=tuple(board),
    )


MOVES = st.lists(
    st.tuples(st.sampled_from("ccccrrrf"), st.sampled_from((0.0, 0.0, 0.1, 0.5, 1.0, -0.5, 2.0))),
    max_size=80,
)
"""Choices that `size_of` turns into actions: a letter and where in the legal range to raise."""


def size_of(where, legal):
    """Turn a place in the range of raises into chips: 0 smallest, 1 largest, others illegal too."""
    if legal is None:
        return max(0, round(100 * where))
    smallest, largest = legal
    return max(0, smallest + round(where * max(1, largest - smallest)))
