"""The statistical modeller: plays tables while it counts, then exploits what it has counted."""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.bot import Bot
from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.opponent_store import OpponentStore
from agents.statistical.counting.situations import RAISE, actions_of
from agents.statistical.deciding.action_values import Value, values_of
from agents.statistical.deciding.base_strategy import (
    Rotation,
    base_fraction,
    chips_of_kind,
    draw_kind,
)
from agents.statistical.deciding.counter_policies import TypeWatch, countered
from agents.statistical.deciding.decision import decide_by_strengths, value_fraction
from agents.statistical.deciding.table import TableModel
from agents.statistical.predicting.action_chances import (
    ActionChances,
    PredictedChances,
)
from agents.statistical.predicting.model_files import load_predictor, load_shipped
from agents.statistical.ranges.interpretation_choice import InterpretationChoice
from agents.statistical.ranges.opponent_range import OpponentRange, shown_combo
from engine.equity.equity import matchups
from engine.equity.preflop_measures import EQUITY, check_measure
from engine.equity.strength import StrengthReader
from engine.hands.cards import combo_of
from engine.play.generators import decision_generator

if TYPE_CHECKING:
    from agents.statistical.counting.situations import SeenAction
    from agents.statistical.predicting.model_files import Predictor
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_PLAYERS: Final = 2
ANYBODY: Final = "anybody"
COUNTER_PREDICTOR: Final = "counters"
DECISIONS_PER_BIN: Final = 3


@dataclass(frozen=True, slots=True)
class Settings:
    """How the modeller models and decides; what else was tried is in `variants`."""

    modelling: bool = True
    """False: phase 1 for ever."""
    tolerance: float = 0.05
    """Difference of strengths within which hands count as equal.  What wins most chips (`values`)
    is done where that is more than this share of the pot above what the comparison says."""
    mirrored: bool = True
    """Whether a call also lowers the hands that would have raised."""
    confidence: float = 0.5
    """n / (n + 5) for n decisions counted in the cells of the opponent's actions in this hand (the
    smallest of them): below it phase 1 decides."""
    predictor: str = COUNTER_PREDICTOR
    """COUNTERS, "ann" or "tree" for the one that comes along, or the path of another one's file."""
    types: bool = True
    """Whether to tell the opponent's type and to counter it, see `counter_policies`."""
    preflop: str = EQUITY
    """What strengths before the flop are percentiles of, see `engine.equity.preflop_measures`."""

    def check(self) -> None:
        """Check the settings.

        Raises:
            ValueError: a setting is out of range.
            ArtifactMismatch: a ValueError; the predictor's file is damaged, or none.
        """
        if not 0 <= self.tolerance <= 1:
            raise ValueError(f"tolerance {self.tolerance:g}: want 0 to 1")
        if not 0 <= self.confidence < 1:
            raise ValueError(f"confidence {self.confidence:g}: want 0 or more, less than 1")
        check_measure(self.preflop)
        _ = self.load_predictor()

    def load_predictor(self) -> Predictor | None:
        """Return the trained model that predicts actions; None where the counters do.

        Raises:
            ValueError: there is no such model.
            ArtifactMismatch: its file is damaged, or holds something else.
        """
        return None if self.predictor == COUNTER_PREDICTOR else load_predictor(self.predictor)


class Statistical(Bot):
    """Plays hold'em, limit or no-limit, against one opponent or, by `TableModel`, several.

    Attributes:
        counters: what is known of the opponent; `start_match` makes them anew or reads them from
            the file; of one opponent, as are those below.
        phase: 1 or 2, of the last decision.
        opponent_range: the opponent's range in this hand; None before its first decision.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        memory: Path | None = None,
        opponent: str = ANYBODY,
        strengths: StrengthReader | None = None,
    ) -> None:
        """Set up the bot.

        Args:
            memory: file of opponents, read at the start; written now and then after a hand, and
                when the bot or the process ends.
            opponent: the name under which that file keeps the opponent.
            strengths: a cache of strengths, shared with other bots of one process.

        Raises:
            ValueError: a setting is out of range, or the name no text.
            ArtifactMismatch: the predictor's file is damaged, or holds something else.
        """
        self.settings = settings or Settings()
        self.settings.check()
        self._store: Final = OpponentStore(memory, opponent) if memory is not None else None
        if self._store is not None:
            weakref.finalize(self, self._store.save)  # also at the end of the process
        shared = strengths or StrengthReader()
        self._strengths: Final = shared.with_preflop(self.settings.preflop)
        self._predictor: Final = self.settings.load_predictor()
        watched = self.settings.modelling and self.settings.types
        self._types: Final = load_shipped("types") if watched else None
        self._choice: Final = self._interpretations()
        self._watch: TypeWatch | None = None
        self._table: TableModel | None = None
        self._view: PlayerView | None = None
        self._seen: list[SeenAction] = []
        self.counters = OpponentCounters()
        self._begin(0)

    @property
    def learns(self) -> bool:
        """Whether it must be shown what it counted before; a file of opponents has it already."""
        return self._store is None

    def warm_up(self) -> None:
        """Compile, or load from the cache, what finds strengths and shares of the pot."""
        board = [0, 5, 10, 15, 20]
        for count in (0, 3, 5):
            self._strengths.read(board[:count])
            matchups((50, 51), board[:count])

    def start_match(self, game: GameDef, seed: int) -> None:
        """Forget the opponent, or read it from the file, and start the random choices from `seed`.

        Raises:
            ValueError: the game is no hold'em, or has three players or more and something is asked
                for that is for two.
            MemoryDamaged: the file is no file of opponents.
            MemoryUnusable: it cannot be read or written.
        """
        if not game.is_holdem:
            raise ValueError("the statistical modeller plays hold'em only")
        self._table = None
        if game.players > _PLAYERS:
            self._table = self._new_table(game.players)
            self._watch = None
            self._begin(seed)
            return
        kind = "no-limit" if game.no_limit else "limit"
        self.counters = self._store.start(kind) if self._store is not None else OpponentCounters()
        summary = self.counters.summaries[int(game.no_limit)]
        self._watch = TypeWatch(self._types, summary) if self._types is not None else None
        self._begin(seed)

    def act(self, view: PlayerView) -> Action:
        """Return the action of phase 2 where enough is known, otherwise that of phase 1."""
        strength = float(self._strengths.read(view.board)[combo_of(*view.hole)])
        if self._table is not None:
            return self._act_at_table(view, self._table, strength)
        opponent_range = self._follow(view) if self.settings.modelling else None
        if opponent_range is not None and self._confident():
            self.phase = 2
            kind, fraction = self._exploit(view, opponent_range, strength)
        else:
            self.phase = 1
            kind, fraction = self._base(view, strength)
        self.counters.add_own(strength)
        return chips_of_kind(view, kind, fraction)

    def end_hand(self, view: PlayerView) -> None:
        """Count the rest of the hand, and the hand that was shown."""
        if self._table is not None:
            self._table.end_hand(view)
        elif self.settings.modelling:
            self._follow(view)
            shown = view.state.showdown and bool(view.shown[1 - view.position])
            if shown:
                self._learn_shown(view)
            if self._watch is not None:
                combo = shown_combo(view) if shown else None
                self._watch.add_hand(self._seen, combo, self._strengths)
        self.counters.hands += 1
        self._hand += 1
        self._view = None
        if self._store is not None and self._table is None:
            self._store.end_hand()

    def notes(self) -> dict[str, Any]:
        """Return the phase, the opponent's type, and why its file is not written, for the log."""
        notes = {"phase": self.phase, **(self._watch.notes() if self._watch is not None else {})}
        if self._store is not None and self._store.failure is not None:
            notes["memory_error"] = self._store.failure
        return notes

    def _new_table(self, players: int) -> TableModel:
        """Return the models of several opponents.  Raises ValueError: as `start_match` does."""
        if self._store is not None:
            raise ValueError("a file of opponents is for games of two")
        return TableModel(players, self._strengths, self._choice, self._predictor)

    def _act_at_table(self, view: PlayerView, table: TableModel, strength: float) -> Action:
        opponents = table.follow(view)
        settings = self.settings
        if settings.modelling and table.sure(opponents, settings.confidence):
            self.phase = 2
            kind, fraction = table.exploit(view, opponents, settings.tolerance)
        else:
            self.phase = 1
            kind, fraction = self._base(view, strength ** len(opponents))
        table.add_own(strength)
        return chips_of_kind(view, kind, fraction)

    def _begin(self, seed: int) -> None:
        self._seed = seed
        self._rotation = Rotation()
        self._hand = 0
        self.phase = 1
        self._view = None
        self._seen = []
        self.opponent_range: OpponentRange | None = None
        self._chances: ActionChances = self.counters
        if self._predictor is not None:
            self._chances = PredictedChances(self._predictor, self.counters)

    def _interpretations(self) -> InterpretationChoice:
        return InterpretationChoice(load_shipped("curves"), self.settings.mirrored)

    def _follow(self, view: PlayerView) -> OpponentRange:
        """Follow the hand up to a view; a new one where the view is not of the hand so far."""
        opponent_range, last = self.opponent_range, self._view
        if opponent_range is None or last is None or not view.continues(last):
            opponent_range = OpponentRange(
                view.hole, self._strengths, self._choice.best(self.counters)
            )
            self.opponent_range, self._seen, last = opponent_range, [], None
        new = [
            action
            for action in actions_of(view.state, view.board, len(last.history) if last else 0)
            if action.actor != view.position
        ]
        opponent_range.follow(
            new, [self._chances.shares(action.situation) for action in new], view.board
        )
        self.counters.add(new)
        self._seen += new
        self._view = view
        return opponent_range

    def _learn_shown(self, view: PlayerView) -> None:
        """Learn from a shown hand, with the counters as they were before the hand."""
        self.counters.add(self._seen, -1)
        self._choice.learn(self.counters, view, self._seen, self._chances, self._strengths)
        self.counters.add(self._seen)

    def _confident(self) -> bool:
        if not self._full():
            return False
        trusts = (self.counters.trust(action.cell) for action in self._seen)
        return min(trusts, default=1.0) >= self.settings.confidence

    def _full(self) -> bool:
        return self.counters.full_bins(DECISIONS_PER_BIN)

    def _base(self, view: PlayerView, strength: float) -> tuple[int, float]:
        rng = decision_generator(self._seed, view)
        table = self._rotation.table(self._hand, rng)
        return draw_kind(table, strength, rng), base_fraction(view, rng)

    def _exploit(
        self, view: PlayerView, opponent_range: OpponentRange, strength: float
    ) -> tuple[int, float]:
        tolerance = self.settings.tolerance
        opponent = self._strength_of(opponent_range, view)
        kind = decide_by_strengths(strength, opponent, tolerance)
        values = self._values(view, opponent_range, strength > opponent)
        best = max(values, key=lambda value: value.chips, default=None)
        ruled = max((value.chips for value in values if value.kind == kind), default=-math.inf)
        if best is not None and (best.kind == kind or best.chips - ruled > tolerance * view.pot):
            return best.kind, best.fraction
        return kind, value_fraction(strength, opponent, tolerance) if kind == RAISE else 0.0

    def _strength_of(self, opponent_range: OpponentRange, view: PlayerView) -> float:
        return opponent_range.mean_strength(self._strengths.read(view.board))

    def _values(self, view: PlayerView, opponent_range: OpponentRange, ahead: bool) -> list[Value]:
        strengths = self._strengths.read(view.board)
        values = values_of(view, opponent_range, self._chances, strengths, self.counters.trust)
        policy = self._watch.policy if self._watch is not None else None
        return values if policy is None else countered(values, view, ahead, policy)
