"""The statistical modeller: plays tables while it counts, then exploits what it has counted."""

from __future__ import annotations

import math
import weakref
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.bot import Bot
from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.habits import RAISE
from agents.statistical.counting.memory import Keeper
from agents.statistical.deciding.base_strategy import Rotation, action_of, base_fraction, draw_kind
from agents.statistical.deciding.counter_policies import TypeWatch, countered
from agents.statistical.deciding.decision import compare, value_fraction
from agents.statistical.deciding.values import values_of
from agents.statistical.predicting.action_chances import (
    ActionChances,
    CountedChances,
    PredictedChances,
)
from agents.statistical.predicting.model_files import (
    COUNTERS,
    PREDICTING,
    load_predictor,
    load_shipped,
)
from agents.statistical.ranges.range_reader import SCALES, RangeReader, Reading
from agents.statistical.ranges.reading_choice import ReadingChoice, add_shown
from agents.statistical.ranges.strength import StrengthReader
from engine.equity.equity import matchups
from engine.hands.cards import combo_of

if TYPE_CHECKING:
    from agents.statistical.predicting.predictor import Predictor
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_PLAYERS: Final = 2
PREDICTORS: Final = (COUNTERS, *PREDICTING)
"""What can foretell the opponent's actions: its counters, or one of the models that come along."""
ANYBODY: Final = "anybody"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the modeller models and decides."""

    modelling: bool = True
    """False: phase 1 for ever."""
    tolerance: float = 0.05
    """Difference of strengths within which hands count as equal."""
    mirrored: bool = True
    """Whether a call also lowers the hands that would have raised."""
    scale: str = "relative"
    """"relative" or "absolute", see `range_reader`."""
    candidates: bool = False
    """Compare with the mean of the hands of highest weight only, not with that of all by weight."""
    values: bool = True
    """Whether to do what wins most chips, see `values`, where that is more than the tolerance, as a
    share of the pot, above what the comparison says; False: the comparison alone."""
    learn_reading: bool = True
    """Whether shown hands settle how actions are read, see `counters.READINGS`."""
    bin_samples: int = 3
    """Own decisions that each strength bin must hold before phase 2."""
    confidence: float = 0.5
    """n / (n + 5) for n decisions counted in the cells of the opponent's actions in this hand (the
    smallest of them): below it phase 1 decides."""
    predictor: str = "counters"
    """One of PREDICTORS, or the path of a file of such a model."""
    types: bool = True
    """Whether to tell the opponent's type and, with `values`, counter it, see
    `counter_policies`."""
    rotate_every: int = 50
    """Hands after which another table is played."""

    def check(self) -> None:
        """Raise what is wrong with a setting.

        Raises:
            ValueError: it is out of range.
            ArtifactMismatch: a ValueError; the predictor's file is damaged, or holds something
                else.
        """
        if not 0 <= self.tolerance <= 1:
            raise ValueError(f"tolerance {self.tolerance:g}: want 0 to 1")
        if not 0 <= self.confidence < 1:
            raise ValueError(f"confidence {self.confidence:g}: want 0 or more, less than 1")
        if self.bin_samples < 0:
            raise ValueError(f"{self.bin_samples} samples a bin: want 0 or more")
        _ = self.load_predictor()
        if self.scale not in SCALES:
            raise ValueError(f"scale {self.scale!r}: want one of {', '.join(SCALES)}")

    def load_predictor(self) -> Predictor | None:
        """Return the trained model that foretells actions; None where the counters do.

        Raises:
            ValueError: there is no such model.
            ArtifactMismatch: its file is damaged, or holds something else.
        """
        if self.predictor == COUNTERS:
            return None
        return load_predictor(self.predictor)


CONFIDENCE_PRIOR: Final = 5.0


class Statistical(Bot):
    """Plays any hold'em for two, limit or no-limit.

    Attributes:
        settings: as given.
        counters: what is known of the opponent; made anew by `start_match` unless a file holds it.
        phase: 1 or 2, of the last decision.
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
            settings: how it plays.
            memory: a file of opponents, to be read at the start and written now and then after a
                hand, and when the bot or the process ends.
            opponent: the name under which that file keeps whoever is played against.
            strengths: shared with other bots of one process, who see the same boards.

        Raises:
            ValueError: a setting is out of range, or the name no text.
            ArtifactMismatch: the predictor's file is damaged, or holds something else.
        """
        self.settings: Final = settings or Settings()
        self.settings.check()
        self._keeper: Final = Keeper(memory, opponent) if memory is not None else None
        if self._keeper is not None:
            weakref.finalize(self, self._keeper.save)  # also at the end of the process
        self._strengths: Final = strengths or StrengthReader()
        self._reader: RangeReader | None = None
        self._predictor: Final = self.settings.load_predictor()
        watched = self.settings.modelling and self.settings.types
        self._types: Final = load_shipped("types") if watched else None
        self._choice: Final = self._choice_of_reading()
        self._watch: TypeWatch | None = None
        self.counters = OpponentCounters()
        self.phase = 1
        self._begin(0)

    def warm_up(self) -> None:
        """Compile, or load from the cache, what finds strengths and shares of the pot."""
        board = [0, 5, 10, 15, 20]
        for seen in (0, 3, 5):
            self._strengths.read(board[:seen])
            matchups((50, 51), board[:seen])

    def start_match(self, game: GameDef, seed: int) -> None:
        """Forget the opponent, or read it from the file, and start the random choices from `seed`.

        Raises:
            ValueError: the game is no hold'em for two.
            MemoryDamaged: the file of opponents is none.
            MemoryUnusable: it cannot be read or written.
        """
        if game.players != _PLAYERS or not game.is_holdem:
            raise ValueError("the statistical modeller plays hold'em for two only")
        kind = "no-limit" if game.no_limit else "limit"
        self.counters = self._keeper.start(kind) if self._keeper is not None else OpponentCounters()
        summary = self.counters.summaries[int(game.no_limit)]
        self._watch = TypeWatch(self._types, summary) if self._types is not None else None
        self._begin(seed)

    def act(self, view: PlayerView) -> Action:
        """Return the action of phase 2 where enough is known, otherwise that of phase 1."""
        own = float(self._strengths.read(view.board)[combo_of(*view.hole)])
        reader = self._follow(view) if self.settings.modelling else None
        if reader is not None and self._confident(reader):
            self.phase = 2
            kind, fraction = self._exploit(view, reader, own)
        else:
            self.phase = 1
            kind, fraction = self._base(view, own)
        self.counters.add_own(own)
        return action_of(view, kind, fraction)

    def end_hand(self, view: PlayerView) -> None:
        """Count the rest of the hand, and the hand that was shown."""
        if self.settings.modelling:
            reader = self._follow(view)
            hole = view.shown[1 - view.position]
            if hole and view.state.showdown:
                combo = combo_of(*hole)
                if self._choice is not None and self._choice.open(self.counters):
                    before = self._chances_by(self._earlier)
                    self._choice.add_scores(self.counters, view, combo, before, self._strengths)
                add_shown(self.counters, view, combo, reader.deeds, self._strengths)
        if self._watch is not None:
            self._watch.add_hand(view, self._strengths)
        self.counters.hands += 1
        self._hand += 1
        self._reader = None
        if self._keeper is not None:
            self._keeper.end_hand()

    def remember(self) -> None:
        """Write what was learnt of the opponent to the file, if there is one, now."""
        if self._keeper is not None:
            self._keeper.save()

    def notes(self) -> dict[str, Any]:
        """Return the phase, the opponent's type, and why its file is not written, for the log."""
        notes = {"phase": self.phase, **(self._watch.notes() if self._watch is not None else {})}
        if self._keeper is not None and self._keeper.failure is not None:
            notes["memory_error"] = self._keeper.failure
        return notes

    def chances(self) -> ActionChances:
        """Return what tells how likely the opponent is to do what."""
        return self._chances_by(self.counters)

    def _chances_by(self, counters: OpponentCounters) -> ActionChances:
        if self._predictor is None:
            return CountedChances(counters)
        return PredictedChances(self._predictor, counters)

    def _choice_of_reading(self) -> ReadingChoice | None:
        settings = self.settings
        if not (settings.modelling and settings.learn_reading):
            return None
        return ReadingChoice(load_shipped("curves"), Reading(settings.scale, settings.mirrored))

    def _begin(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._rotation = Rotation(every=self.settings.rotate_every)
        self._hand = 0
        self._reader = None
        self._earlier = self.counters

    def _follow(self, view: PlayerView) -> RangeReader:
        """Follow the hand up to a view; a new one where the view is not of the hand so far."""
        reader = self._reader
        if reader is None or not reader.goes_on(view):
            reading = Reading(self.settings.scale, self.settings.mirrored)
            if self._choice is not None:
                reading = self._choice.reading(self.counters)
                if self._choice.open(self.counters):
                    self._earlier = deepcopy(self.counters)
            reader = self._reader = RangeReader(view, self._strengths, reading)
        for deed in reader.follow(view, self.chances()):
            self.counters.add(deed.button, deed.cell, deed.action, deed.size)
        return reader

    def _confident(self, reader: RangeReader) -> bool:
        settings = self.settings
        if not self.counters.full_bins(settings.bin_samples):
            return False
        trusts = (self._trust(deed.cell) for deed in reader.deeds)
        return min(trusts, default=1.0) >= settings.confidence

    def _trust(self, cell: int) -> float:
        """Return how far what was counted in a cell is believed, 0 to 1."""
        seen = self.counters.seen(cell)
        return seen / (seen + CONFIDENCE_PRIOR)

    def _base(self, view: PlayerView, own: float) -> tuple[int, float]:
        table = self._rotation.table(self._hand, self._rng)
        return draw_kind(table, own, self._rng), base_fraction(view, self._rng)

    def _exploit(self, view: PlayerView, reader: RangeReader, own: float) -> tuple[int, float]:
        settings, weights = self.settings, reader.weights
        among = weights.candidates() if settings.candidates else None
        strengths = self._strengths.read(view.board)
        opponent = weights.mean_strength(strengths, among)
        kind = compare(own, opponent, settings.tolerance)
        fraction = value_fraction(own, opponent, settings.tolerance) if kind == RAISE else 0.0
        if not settings.values:
            return kind, fraction
        values = values_of(view, reader, self.chances(), strengths, self._trust)
        policy = self._watch.policy if self._watch is not None else None
        if policy is not None:
            values = countered(values, view, own > opponent, policy)
        best = max(values, key=lambda value: value.chips)
        ruled = max((value.chips for value in values if value.kind == kind), default=-math.inf)
        if best.kind == kind or best.chips - ruled > settings.tolerance * view.pot:
            return best.kind, best.fraction
        return kind, fraction


def build(**options: Any) -> Statistical:
    """Return the bot for the options of the command line, see `agents.roster`.

    Args:
        options: `tolerance` and `confidence` as in `Settings`; `modelling`, `mirrored`, `types` 1
            or 0; `predictor` one of PREDICTORS, or the path of a file of such a model; `memory` the
            path of a file, `opponent` a name in it.

    Raises:
        ValueError: an option is out of range, or the predictor's file cannot be used.
    """
    default = Settings()
    settings = Settings(
        modelling=_switch("modelling", options.get("modelling", 1)),
        tolerance=float(options.get("tolerance", default.tolerance)),
        mirrored=_switch("mirrored", options.get("mirrored", 1)),
        confidence=float(options.get("confidence", default.confidence)),
        predictor=str(options.get("predictor") or default.predictor),
        types=_switch("types", options.get("types", 1)),
    )
    memory = options.get("memory")
    return Statistical(
        settings,
        memory=Path(str(memory)) if memory else None,
        opponent=str(options.get("opponent") or ANYBODY),
    )


def _switch(name: str, value: float) -> bool:
    if value not in (0, 1):
        raise ValueError(f"{name} {value:g}: want 1 or 0")
    return bool(value)
