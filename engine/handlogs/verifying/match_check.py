"""Checking the hands of one match in the order of its log: ids, names, cards dealt, totals.

`scan` walks over lines in compiled code as long as everything is right; `add_hand` takes one parsed
line, finds the same things right and says what is wrong with the others.  Both go on from the
same state, and a caller may use `add_hand` alone.

A match of a known seed (or with a header) is strict: one table, ids rising by one.  Otherwise
the log may hold several tables, told apart by their players, and ids may have gaps.  In both, id 0
starts the match (or that table) anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.handlogs.verifying.streams import GAPS, HANDS, NEXT_ID, Streams
from engine.rules.packed_game import pack_game
from engine.showdown import hand_check as kinds
from engine.showdown.hand_check import check_hand
from protocol.cards import format_cards
from protocol.handlog import format_chips
from protocol.matchstate import MAX_HAND_ID_DIGITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.deals.deal_window import DealWindow
    from engine.handlogs.reading.hand_layout import HandScratch
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord, Score

MAX_HANDS: Final = 10**MAX_HAND_ID_DIGITS


class MatchCheck:
    """The state of one match while its log is read."""

    def __init__(self, game: GameDef, *, strict: bool, deals: DealWindow | None = None) -> None:
        """Start before the first hand.

        Args:
            strict: whether the log holds one table with all its hands.
            deals: the cards that a known seed deals; needs `strict`.
        """
        self.game = game
        self.hands = 0
        """Hands accepted or not, whose line could be parsed."""
        self.deals_checked = 0
        """Hands whose cards were compared with those dealt from the seed."""
        self.restarts = 0
        """Times that ids began anew."""
        self.faults_counted = 0
        """Faults of hands that `scan` walked over."""
        self.wrong: NDArray[np.int64] = np.zeros(kinds.KINDS, np.int64)
        """(KINDS,) hands with faults of each kind of `engine.showdown.hand_check`."""
        self._strict = strict
        self._deals = deals
        self._streams = Streams(game.players)
        self._lost = 0  # unreadable hand lines since the last hand
        self._doubtful = False  # whether a line was lost or wrong since the match began
        self._resumed = False  # whether the next hand may leave a gap
        self.limit = MAX_HANDS
        """Hands that the match has according to its header; ids stay below."""
        self._packed = pack_game(game)
        self._scratch: HandScratch | None = None

    def resume(self) -> None:
        """Note that the log goes on after an interruption: the next hand may leave a gap."""
        self._resumed = True

    @property
    def next_id(self) -> int:
        """Id that follows the last hand of a strict match; 0 before the first."""
        return int(self._streams.rows[0, NEXT_ID]) if self._streams.count else 0

    @property
    def missing(self) -> int:
        """Ids of a strict match without a hand before the last one met."""
        return int(self._streams.rows[0, GAPS]) if self._streams.count else 0

    def add_lost_line(self) -> None:
        """Take note of a hand line that cannot be parsed."""
        self.wrong[kinds.UNREADABLE] += 1
        self._lost += 1
        self._doubtful = True

    def add_hand(self, record: HandRecord) -> list[str]:
        """Check one hand and go past it; return its faults."""
        report = check_hand(self.game, record)
        faults = list(report.faults)
        self.hands += 1
        for kind in report.kinds:
            self.wrong[kind] += 1
        if len(record.names) != self.game.players:
            self._doubtful = True
            self._lost += 1  # nobody to give its values to
            return faults
        hand_id = record.hand_id
        fault_count = len(faults)
        if hand_id >= self.limit:
            of = f": the header speaks of {self.limit} hands" if self.limit < MAX_HANDS else ""
            faults.append(f"no hand can have the id {hand_id}{of}")
        stream, possible = self._place(hand_id, record.names, faults)
        self.wrong[kinds.NAMES] += not possible
        self.wrong[kinds.IDS] += len(faults) - (not possible) > fault_count
        values = report.values
        if values is None:
            self._doubtful = True
        if report.cards is not None and self._deals is not None:
            fault_count = len(faults)
            every = [card for hole in report.cards.holes for card in hole]
            self._compare_deal(hand_id, every, list(report.cards.board), faults)
            if not _begins_with(record.betting, self._deals.betting(hand_id)):
                faults.append(f"the hand was given with the betting {self._deals.betting(hand_id)}")
            self.wrong[kinds.DEALS] += len(faults) > fault_count
        self._doubtful = self._doubtful or bool(faults)
        self._streams.advance(stream, hand_id, possible, values)
        self._lost = 0
        self._resumed = False
        return faults

    def expected_names(self, hand_id: int) -> tuple[tuple[str, ...], ...]:
        """Return the names by position that a strict match's seats give, one for each mode left."""
        if not self._strict or not self._streams.count:
            return ()
        fields = [self._streams.field(0, hand_id, mode) for mode in self._streams.modes(0)]
        return tuple(tuple(field.split("|")) for field in fields)

    def _place(self, hand_id: int, names: tuple[str, ...], faults: list[str]) -> tuple[int, int]:
        """Return the hand's stream and the seat modes its names allow; note wrong ids and names."""
        streams = self._streams
        stream = (0 if streams.count else -1) if self._strict else streams.find(names)
        if stream < 0:
            stream = streams.open(hand_id, names)
            return stream, streams.match_names(stream, hand_id, names)
        expected = int(streams.rows[stream, NEXT_ID])
        possible = streams.match_names(stream, hand_id, names)
        if hand_id < expected and (hand_id == 0 or not self._strict):
            self.restarts += 1
            if hand_id == 0 or not possible:
                self._doubtful = False
                streams.seat(stream, hand_id, names)
                return stream, streams.match_names(stream, hand_id, names)
        elif hand_id != expected and self._strict:
            self._check_id(hand_id, expected, faults)
        if not possible:
            wanted = " or ".join(
                streams.field(stream, hand_id, mode) for mode in streams.modes(stream)
            )
            faults.append(f"names {'|'.join(names)}: in hand {hand_id} the seats give {wanted}")
        return stream, possible

    def _check_id(self, hand_id: int, expected: int, faults: list[str]) -> None:
        gap = hand_id - expected
        if self._resumed and gap > 0:
            return
        if 0 < gap <= self._lost:
            return
        missing = f": {gap} missing" if gap > 0 else ""
        faults.append(f"hand {hand_id} follows hand {expected - 1}{missing}")

    def _compare_deal(
        self, hand_id: int, holes: list[int], board: list[int], faults: list[str]
    ) -> None:
        deals = self._deals
        assert deals is not None
        if not deals.move_to(hand_id):
            faults.append(f"hand id {hand_id} is too far ahead to deal its cards")
            return
        self.deals_checked += 1
        dealt = deals.hand(hand_id)
        each = self.game.hole_cards
        for position in range(self.game.players):
            mine = slice(position * each, (position + 1) * each)
            if holes[mine] != dealt[mine]:
                faults.append(
                    f"position {position} holds {format_cards(holes[mine])}, "
                    f"{deals.origin} deals {format_cards(dealt[mine])}"
                )
        common = dealt[len(holes) : len(holes) + len(board)]
        if board != common:
            faults.append(
                f"board {format_cards(board)}, {deals.origin} deals {format_cards(common)}"
            )

    def add_score(self, score: Score) -> tuple[list[str], str | None]:
        """Compare a SCORE line with the hands so far.

        Returns:
            Its faults, and, where it could not be checked, the reason.
        """
        streams = self._streams
        stream = (0 if streams.count else -1) if self._strict else streams.find(score.names)
        if stream < 0:
            return [], "there are no hands of these players before it"
        names = "|".join(score.names)
        seats = {mode: streams.field(stream, 0, mode) for mode in streams.modes(stream)}
        modes = [mode for mode, seated in seats.items() if seated == names]
        if not modes:
            return [f"SCORE names {names}, the seats are {' or '.join(seats.values())}"], None
        printed = list(score.values)
        sums: list[str] = []
        for mode in modes:
            sums = [format_chips(total) for total in streams.totals_by_seat(stream, mode)]
            if sums == printed:
                return [], None
        if self._doubtful:
            return [], "hands before it are wrong or unreadable"
        missing = int(streams.rows[stream, GAPS])
        if missing:
            return [], f"hands before it are not in this log: {missing}"
        return [f"SCORE is {'|'.join(printed)}, the hands add up to {'|'.join(sums)}"], None

    def scan(self, data: NDArray[np.uint8], at: int, *, counting: bool = False) -> tuple[int, int]:
        """Walk over right lines in compiled code.

        Args:
            data: (N,) uint8, text that ends in a newline.
            at: index of the first byte of a line.
            counting: whether to walk over wrong hands too, where it is plain how many faults
                they have; `faults_counted` grows.

        Returns:
            Index of the first line that was not walked over (N if none is left) and the number of
            lines that were.
        """
        from engine.handlogs.reading import hand_layout as h
        from engine.handlogs.verifying import verify_block as v

        streams = self._streams
        if not (streams.count and streams.plain) or self._lost or self._resumed or at >= len(data):
            return at, 0
        if self._scratch is None:
            self._scratch = h.new_scratch()
        state = np.zeros(v.STATE_SIZE, np.int64)
        state[v.DOUBTFUL] = self._doubtful
        state[v.COUNTING] = counting
        hands = int(streams.rows[: streams.count, HANDS].sum())
        while True:
            state[v.AT] = at
            state[v.STREAMS] = streams.count
            state[v.STRICT] = self._strict
            state[v.LIMIT] = self.limit
            state[v.DEALS_COUNT] = -1
            deals = np.zeros((0, 1), np.uint8)
            if self._deals is not None:
                if self._deals.has_bettings:
                    break
                deals = self._deals.cards
                state[v.DEALS_FROM] = self._deals.first
                state[v.DEALS_COUNT] = len(deals)
            reason = v.verify_block(
                data,
                self._packed,
                streams.arrays(),
                deals,
                self._scratch,
                state,
            )
            at = int(state[v.AT])
            if reason != v.NEED_DEALS or self._deals is None:
                break
            if not self._deals.move_to(int(self._scratch.hand[h.HAND_ID])):
                break
        walked = int(streams.rows[: streams.count, HANDS].sum()) - hands
        self.hands += walked
        self.restarts += int(state[v.RESTARTS])
        self._doubtful = bool(state[v.DOUBTFUL])
        self.faults_counted += int(state[v.FAULTS])
        self.wrong += state[v.WRONG :]
        self.deals_checked += walked if self._deals is not None else 0
        return at, int(state[v.LINES])


def _begins_with(betting: str, beginning: str) -> bool:
    """Return whether a betting text goes on from another one; r3000 does not from r300."""
    rest = betting[len(beginning) :]
    return betting.startswith(beginning) and not (beginning[-1:].isdigit() and rest[:1].isdigit())
