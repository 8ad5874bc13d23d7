"""What the players of a game did over many logged hands, counted by compiled code.

A `Tally` belongs to one game and may be fed any number of logs.  Numbers are kept per player,
position and depth of stacks, on wish per player and opponent too, so memory does not grow with
hands; the counts are those of `hand_counts`, the sums those of `tally_block`.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.equity.allin_batch import allin_expectations
from engine.estimates.hand_results import RESULT_POT, RESULT_SEATS, HandResults, hand_results
from engine.handlogs.counting import hand_counts as c
from engine.handlogs.counting import tally_block as b
from engine.handlogs.counting.detail import Detail
from engine.handlogs.counting.hand_actions import HandActions, hand_actions
from engine.handlogs.counting.opponents import PairTable, add_expectation, file_owner, hash_name
from engine.handlogs.reading import hand_layout as h
from engine.rules.fast_state import HAND_WIDTH
from engine.rules.packed_game import pack_game
from engine.rules.pots import most_chips
from engine.showdown.hand_check import check_hand
from protocol.gamedef import MAX_PLAYERS
from protocol.handlog import HandRecord, format_chips, format_hand
from protocol.matchstate import format_card_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from engine.handlogs.counting.opponents import PairLine
    from engine.rules.state import HandState
    from protocol.gamedef import GameDef
    from protocol.matchstate import CardsShown


_DEPTH_EDGES_BIG_BLINDS: Final = (15, 25, 50, 100, 200)
"""A class begins at an edge and ends before the next one."""
DEPTH_NAMES: Final = (
    f"<{_DEPTH_EDGES_BIG_BLINDS[0]}",
    *(f"{low}-{high}" for low, high in pairwise(_DEPTH_EDGES_BIG_BLINDS)),
    f"{_DEPTH_EDGES_BIG_BLINDS[-1]}+",
)


def depths_of(game: GameDef) -> list[int]:
    """Return the class of each position, an index into `DEPTH_NAMES`.

    The depth is the player's own stack, or the largest one of the others if that is less.
    """
    classes = []
    for position, stack in enumerate(game.stacks):
        others = max(game.stacks[:position] + game.stacks[position + 1 :])
        chips = min(stack, others)
        classes.append(sum(chips >= edge * game.big_blind for edge in _DEPTH_EDGES_BIG_BLINDS))
    return classes


_ALLINS_HELD = 4096
_RESULTS_HELD = 1 << 14
_ACTIONS_HELD = 1 << 16
_FIRST_PLAYERS = 16
_FIRST_KEYS = 64


@dataclass(frozen=True, slots=True)
class TallyLine:
    """The numbers of one player in one position, with stacks of one depth."""

    player: str
    position: int
    depth: int
    """Index into `DEPTH_NAMES`."""
    counts: NDArray[np.int64]
    """(W,) as in `engine.handlogs.counting.hand_counts`."""
    sums: NDArray[np.float64]
    """(SUMS,) big blinds, as in `engine.handlogs.counting.tally_block`."""


class Doubts(NamedTuple):
    """Hands that are counted as printed, though their payoffs cannot be right."""

    contradicted: int
    """Not those of betting and cards."""
    impossible: int
    """Of these, more than a stack."""
    uneven: int
    """Of these, with a sum that is not 0."""


class Tally:
    """Counts over the hands of one game."""

    def __init__(
        self,
        game: GameDef,
        *,
        rename: Callable[[str], str] = str,
        expectation: bool = True,
        progress: Callable[[int], None] | None = None,
        threads: int | None = None,
        keep: bool = False,
        keep_actions: bool = False,
        detail: Detail = Detail.BASIC,
    ) -> None:
        """Start with nothing counted.

        Args:
            rename: turns a name in a log into the player it belongs to.
            expectation: whether all-in hands get their exact expectation, which takes microseconds
                between two and milliseconds among more; else the expectation sums leave them out.
            progress: told now and then how many all-in hands there have been.
            threads: for expectations; None for one per core.
            keep: whether `results` is to have the expectation of hands one by one.
            keep_actions: whether the actions of hands whose results are kept are kept, too.
            detail: how much to count.
        """
        self.game = game
        self.hands = 0
        self.allins = 0
        self._rename = rename
        self._expectation = expectation
        self._progress = progress
        self._threads = threads
        self._packed = pack_game(game)
        self._players: dict[str, int] = {}
        self._names: dict[bytes, int] = {}
        self._keys = np.zeros(_FIRST_KEYS, np.uint64)
        self._owners = np.zeros(_FIRST_KEYS, np.int64)
        self._width = c.COUNTS if detail >= Detail.TRACKER else c.BASIC
        rows = (_FIRST_PLAYERS, game.players, len(DEPTH_NAMES))
        self._counts = np.zeros((*rows, self._width), np.int64)
        self._sums = np.zeros((*rows, b.SUMS), np.float64)
        self._depths = np.array(depths_of(game), np.int64)
        self._pairs = PairTable(self._width, b.SUMS, wanted=detail >= Detail.OPPONENTS)
        self._replayed = np.zeros(HAND_WIDTH, np.int64)
        self._lines = np.zeros((game.players, self._width), np.int64)
        self._won = np.zeros((game.players, b.SUMS), np.float64)
        self._allin_rows = np.zeros((_ALLINS_HELD, b.ALLIN_SIZE), np.int64)
        self._results = np.zeros((0, RESULT_SEATS + 2 * game.players), np.int64)
        self._kept: list[NDArray[np.int64]] | None = None
        self._sessions: list[list[NDArray[np.int64]]] = []
        self._codes = np.zeros(_ACTIONS_HELD if keep_actions else 0, np.uint16)
        self._actions: list[NDArray[np.uint16]] = []
        self._expected: list[NDArray[np.float64]] | None = [] if expectation and keep else None
        self._scratch = h.new_scratch()
        self._seated = np.zeros(MAX_PLAYERS, np.int64)
        self._state = np.zeros(b.STATE_SIZE, np.int64)
        self._state[b.MOST_LOST] = 1_000_000 * most_chips(game)
        self._with_stakes = 0
        self._deepest = 0.0  # of hands with chips of their own, scaled as their results are

    def begin_session(self, *, keep: bool = True, deals_of: int = 0) -> None:
        """Begin another session: a log, or what follows a header in it.

        Args:
            keep: whether its hands are kept one by one; those before the first session are not.
            deals_of: hands with another number here are never of one deal.
        """
        if keep != (self._kept is not None):
            self._results = np.zeros(
                (_RESULTS_HELD if keep else 0, self._results.shape[1]), np.int64
            )
        self._kept = [] if keep else None
        if self._kept is not None:
            self._sessions.append(self._kept)
        self._state[b.DEALS_OF] = deals_of

    def settle(self) -> None:
        """Add the expectation of all-in hands that wait for it, many of which take long."""
        self._settle_allins()

    def results(self) -> HandResults:
        """Return the hands that were kept as columns, in the order of counting.

        All-in expectation is in it if the tally was made to keep that.
        """
        self._settle_allins()
        sessions = [rows for rows in self._sessions if rows]
        allins = None
        if self._expected is not None:
            allins = np.concatenate([np.zeros((0, self.game.players)), *self._expected])
        return hand_results(self.game.players, sessions, allins)

    def actions(self) -> HandActions:
        """Return the actions of the hands whose results were kept, in the order of counting."""
        return hand_actions(self._actions)

    def scan(self, data: NDArray[np.uint8], at: int) -> tuple[int, int]:
        """Count the hands of a text from index `at` on, as long as its lines are plain STATE lines.

        Args:
            data: (N,) uint8, text that ends in a newline.
            at: index of the first byte of a line.

        Returns:
            Index of the first line that was not counted (N if none is left), and how many lines
            were passed.
        """
        state = self._state
        state[b.AT] = at
        state[b.LINES] = 0
        while True:
            counted = b.TallyArrays(
                self._keys,
                self._owners,
                self._allin_rows,
                self._results,
                self._codes if self._kept is not None else self._codes[:0],
                self._depths,
                self._counts,
                self._sums,
                self._pairs.arrays,
                self._replayed,
                self._lines,
                self._won,
            )
            reason = b.tally_block(data, self._packed, counted, self._scratch, self._seated, state)
            if reason == b.NEW_NAME:
                begin = int(state[b.NAME_AT])
                self._meet(data[begin : begin + int(state[b.NAME_SIZE])].tobytes())
            elif reason == b.NEW_PAIR:
                self._pairs.add(int(state[b.NAME_AT]), int(state[b.NAME_SIZE]))
            elif reason == b.ALLINS_FULL:
                self._settle_allins()
            elif reason == b.RESULTS_FULL:
                self._hand_over_results()
            else:
                break
        self._hand_over_results()
        self.hands = int(self._counts[:, 0, :, c.COUNT_HANDS].sum())
        return int(state[b.AT]), int(state[b.LINES])

    def add_hand(self, record: HandRecord) -> tuple[str, ...]:
        """Count one hand whose line is right but unusual, such as one with blanks in a name.

        Hole cards that are not known are no matter where no showdown was decided by them.

        Returns:
            Why the hand cannot be counted; empty when it was.
        """
        report = check_hand(self.game, record, hidden=True)
        if report.state is None or report.cards is None:
            return report.faults
        if report.values is None:
            return ("a showdown of unknown cards",)
        plain = replace(
            record,
            betting=report.state.betting,
            cards=_with_any_cards(report.state, report.cards, record),
            values=tuple(format_chips(float(value)) for value in record.values),
            names=tuple(self._alias(name) for name in record.names),
            stamp=None,
            stakes=None,
        )
        text = format_hand(plain).encode("utf-8", "surrogateescape") + b"\n"
        line = np.frombuffer(text, np.uint8)
        if report.state.game == self.game:
            at, _ = self.scan(line, 0)
        else:
            at = self._scan_with_stakes(line, report.state.game)
        return () if at == len(text) else report.faults or ("its values are too large",)

    def _scan_with_stakes(self, line: NDArray[np.uint8], game: GameDef) -> int:
        """Count a hand with chips of its own; results that are kept are scaled by big blinds."""
        self._settle_allins()
        row_count = 0 if self._kept is None else len(self._kept)
        table_game, packed = self.game, self._packed
        self._play(game, pack_game(game))
        scale = table_game.big_blind / game.big_blind
        hands_before = self.hands
        try:
            at, _ = self.scan(line, 0)
            self._settle_allins(scale)
        finally:
            self._play(table_game, packed)
        self._with_stakes += self.hands - hands_before
        self._deepest = max(self._deepest, scale * most_chips(game))
        for rows in [] if self._kept is None else self._kept[row_count:]:
            chips = rows[:, RESULT_SEATS + table_game.players :]
            chips[:] = np.rint(chips * scale)
            rows[:, RESULT_POT] = np.rint(rows[:, RESULT_POT] * scale)
        return at

    def _play(self, game: GameDef, packed: NDArray[np.int64]) -> None:
        """Let the hands to come be of a game that differs in its chips alone."""
        self.game, self._packed = game, packed
        self._depths = np.array(depths_of(game), np.int64)
        self._state[b.MOST_LOST] = 1_000_000 * most_chips(game)

    @property
    def doubts(self) -> Doubts:
        """The hands counted so far whose payoffs cannot be right."""
        state = self._state
        return Doubts(int(state[b.CONTRADICTED]), int(state[b.IMPOSSIBLE]), int(state[b.UNEVEN]))

    @property
    def most_lost(self) -> float:
        """What a hand can cost a player, in chips of `game`: the most of those counted."""
        plain = self.hands > self._with_stakes or not self.hands
        return max(self._deepest, float(most_chips(self.game)) if plain else 0.0)

    @property
    def players(self) -> list[str]:
        """The players by index."""
        return list(self._players)

    def lines(self) -> list[TallyLine]:
        """Return what was counted, by player, position and depth that was played."""
        self._settle_allins()
        return [
            TallyLine(
                player,
                position,
                depth,
                self._counts[index, position, depth],
                self._sums[index, position, depth],
            )
            for player, index in self._players.items()
            for position in range(self.game.players)
            for depth in range(len(DEPTH_NAMES))
            if self._counts[index, position, depth, c.COUNT_HANDS]
        ]

    def pair_lines(self) -> list[PairLine]:
        """Return what was counted by player and opponent; nothing without that detail."""
        self._settle_allins()
        return self._pairs.lines(self.players)

    def _alias(self, name: str) -> str:
        """Return a name without blanks, one that no log can have, for a player."""
        alias = b"\xff%d" % self._player(name)
        if alias not in self._names:
            self._file(alias, self._player(name))
        return alias.decode("utf-8", "surrogateescape")

    def _meet(self, raw: bytes) -> None:
        self._file(raw, self._player(raw.decode("utf-8", "surrogateescape")))

    def _player(self, name: str) -> int:
        """Return the index of the player that a name belongs to; a new player gets a new index."""
        index = self._players.setdefault(self._rename(name), len(self._players))
        if index == len(self._counts):
            self._counts = np.concatenate([self._counts, np.zeros_like(self._counts)])
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
        return index

    def _file(self, raw: bytes, player: int) -> None:
        self._names[raw] = player
        if 2 * len(self._names) > len(self._keys):
            self._keys = np.zeros(2 * len(self._keys), np.uint64)
            self._owners = np.zeros(len(self._keys), np.int64)
            for name, owner in self._names.items():
                self._file_key(name, owner)
        else:
            self._file_key(raw, player)

    def _file_key(self, raw: bytes, owner: int) -> None:
        key = hash_name(np.frombuffer(raw, np.uint8), 0, len(raw))
        file_owner(np.uint64(key), owner, self._keys, self._owners)

    def _hand_over_results(self) -> None:
        count = int(self._state[b.RESULTS])
        self._state[b.RESULTS] = 0
        if self._kept is not None and count:
            self._kept.append(self._results[:count].copy())
            self._actions.append(self._codes[: self._state[b.ACTIONS]].copy())
        self._state[b.ACTIONS] = 0

    def _settle_allins(self, scale: float = 1.0) -> None:
        """Add the expectation of all-in hands; what is kept of it is multiplied by `scale`."""
        waiting = int(self._state[b.ALLINS])
        self._state[b.ALLINS] = 0
        if not self._expectation or not waiting:
            self.allins += waiting
            return
        game = self.game
        players = game.players
        rows = self._allin_rows[:waiting]
        cards = rows[:, b.ALLIN_CARDS :].astype(np.uint8)
        holes = players * game.hole_cards
        board_sizes = np.array([game.board_seen(street) for street in range(game.streets)])
        expected = allin_expectations(
            game,
            rows[:, b.ALLIN_SPENT : b.ALLIN_SPENT + players],
            rows[:, b.ALLIN_FOLDED : b.ALLIN_FOLDED + players] != 0,
            cards[:, :holes].reshape(waiting, players, game.hole_cards),
            cards[:, holes : holes + game.board_total],
            board_sizes[rows[:, b.ALLIN_STREET]],
            threads=self._threads,
            progress=self._count_allins,
        )
        big_blinds = expected / game.big_blind
        owners = rows[:, b.ALLIN_PLAYER : b.ALLIN_PLAYER + players]
        places = (owners, np.arange(players), self._depths)
        np.add.at(self._sums[..., b.SUM_EXPECTED], places, big_blinds)
        np.add.at(self._sums[..., b.SUM_EXPECTED_SQUARES], places, big_blinds * big_blinds)
        add_expectation(owners, big_blinds, b.SUM_EXPECTED, self._pairs.arrays)
        if self._expected is not None:
            self._expected.append(scale * expected)

    def _count_allins(self, more: int) -> None:
        self.allins += more
        if self._progress is not None:
            self._progress(self.allins)


def _with_any_cards(state: HandState, cards: CardsShown, record: HandRecord) -> str:
    """Return the cards of a hand with others of the deck for those that are not known.

    They are drawn by the hand's line, so that no two hands seem to be of one deal.
    """
    if all(cards.holes):
        return record.cards
    dealt = {card for hole in (*cards.holes, cards.board) for card in hole}
    random = np.random.default_rng(zlib.crc32(format_hand(record).encode("utf-8", "replace")))
    deck = iter(
        random.permutation([card for card in state.game.deck if card not in dealt]).tolist()
    )
    count = state.game.hole_cards
    holes = [hole or tuple(islice(deck, count)) for hole in cards.holes]
    return format_card_text(holes, cards.board, state.game, state.street)
