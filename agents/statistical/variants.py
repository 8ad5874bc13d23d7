"""What is not played by default: what was tried without a measured gain, and the patent's own ways.

`VariantSettings` are the bot's and these on top; with the defaults a variant plays as the bot does.
`departures` says where the patent differs.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.bot import DECISIONS_PER_BIN, Settings, Statistical
from agents.statistical.deciding.action_values import Showdowns, Value
from agents.statistical.predicting.action_chances import PatentChances
from agents.statistical.predicting.model_files import TREE, load_shipped
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.interpretation_choice import InterpretationChoice
from agents.statistical.ranges.tree_interpretation import TreeInterpretation
from engine.equity.potential import hand_potential
from engine.equity.strength import OptimisticReader, StrengthReader
from engine.hands.cards import combo_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.counting.counters import OpponentCounters
    from agents.statistical.deciding.table import TableModel
    from agents.statistical.ranges.opponent_range import OpponentRange
    from engine.rules.view import PlayerView

SHOWN: Final = "shown"
CURVES: Final = "curves"
SEQUENCES: Final = "sequences"
WEIGHTS: Final = (SHOWN, CURVES, SEQUENCES, TREE)
_ROUNDING: Final = 1e-12
_BOARD_CARDS: Final = 5


@dataclass(frozen=True, slots=True)
class VariantSettings(Settings):
    """Settings of the bot, and what else can be swept."""

    optimistic: bool = False
    """Strength is EHS' = HS + (1 - HS) PPot, not EHS."""
    absolute: bool = False
    """Ramps stand on strengths as they are, not on percentiles among what may be held."""
    sharp: bool = False
    """Ramps are as wide as the bands of actions beside them, see `thresholds.sharp_ramps`."""
    initial: bool = False
    """Of the actions before the flop only the strongest counts, by how often the opponent does what
    there in all situations together."""
    by_street: bool = False
    """Weights of each later street start over with those of before the flop."""
    learn_reading: bool = True
    """Whether shown hands settle how actions are interpreted; False: by ramps for ever."""
    plain: bool = False
    """The 36 counters tell how often what is done; position, sizes of bets and other cells do
    not.  A trained predictor tells it instead of any counters."""
    generic: bool = False
    """Before phase 2 everybody is taken to fold, call and raise 2:5:3, and the own hand is as
    strong as it is against hands weighted so."""
    opponent_bins: bool = False
    """Phase 2 waits for the opponent's decisions in every strength bin, as far as its hands were
    shown, not for own ones."""
    bin_samples: int = DECISIONS_PER_BIN
    """Own decisions, or the opponent's in hands that it showed, that each strength bin must hold
    before phase 2."""
    candidates: bool = False
    """Compare with the mean of the hands of highest weight only, not with that of all by weight."""
    weights: str = SHOWN
    """What says which hands an action is taken with: SHOWN for the way that predicted best the
    hands shown so far, see `ranges.interpretation_choice`; CURVES of other players, action by
    action; SEQUENCES, the same by all that was done; or TREE for the leaves of the tree."""
    values: bool = True
    """Whether to do what wins most chips where it wins clearly more than the comparison; False: the
    comparison alone."""

    @property
    def for_tables(self) -> bool:
        """Whether what is set has an effect at tables of three and more."""
        usual = {entry.name: entry.default for entry in fields(VariantSettings)}
        anywhere = {entry.name for entry in fields(Settings)} | {"weights"}
        return all(getattr(self, name) == usual[name] for name in usual.keys() - anywhere)

    def check(self) -> None:
        """Raise what is wrong with a setting, as `Settings.check` does."""
        Settings.check(self)
        if self.bin_samples < 0:
            raise ValueError(f"{self.bin_samples} samples a bin: want 0 or more")
        if self.weights not in WEIGHTS:
            raise ValueError(f"weights {self.weights!r}: want {', '.join(WEIGHTS)}")
        if self.weights == TREE and self.optimistic:
            raise ValueError(f"weights {self.weights} go by EHS, not by EHS': want optimistic 0")


class ModellerVariant(Statistical):
    """The modeller with settings that it does not have in play by default."""

    settings: VariantSettings

    def __init__(self, settings: VariantSettings | None = None, **options: Any) -> None:
        settings = settings or VariantSettings()
        strengths = options.pop("strengths", None) or reader_of(settings)()
        super().__init__(settings, strengths=strengths, **options)

    def _new_table(self, players: int) -> TableModel:
        if not self.settings.for_tables:
            raise ValueError(
                "settings but tolerance, confidence, predictor and weights are for games of two"
            )
        return super()._new_table(players)

    def _begin(self, seed: int) -> None:
        super()._begin(seed)
        settings, counted = self.settings, self._predictor is None
        if settings.plain or settings.initial or settings.generic:
            self._chances = PatentChances(
                self.counters,
                self._chances,
                plain=settings.plain and counted,
                initial=settings.initial and counted,
                generic=lambda: settings.generic and not self._full(),
            )

    def _interpretations(self) -> InterpretationChoice:
        settings = self.settings
        starts: dict[str, Any] = {"initial": settings.initial, "by_street": settings.by_street}
        if settings.weights == TREE:
            tree = TreeInterpretation(tree=load_shipped(TREE), **starts)
            return NoChoice(None, settings.mirrored, tree)
        if settings.weights in (CURVES, SEQUENCES):
            curves = ActionInterpretation(curves=load_shipped(settings.weights), **starts)
            return NoChoice(None, settings.mirrored, curves)
        like = ActionInterpretation(absolute=settings.absolute, sharp=settings.sharp, **starts)
        made = InterpretationChoice if settings.learn_reading else NoChoice
        return made(load_shipped("curves"), settings.mirrored, like)

    def _full(self) -> bool:
        least = self.settings.bin_samples
        if self.settings.opponent_bins:
            return bool((self.counters.shown.sum(axis=(0, 1)) >= least).all())
        return self.counters.full_bins(least)

    def _base(self, view: PlayerView, strength: float) -> tuple[int, float]:
        if self.settings.generic and self.opponent_range is not None:
            reading = self._strengths.read(view.board)
            strength = weighted_strength(
                view, self.opponent_range, reading, optimistic=self.settings.optimistic
            )
        return super()._base(view, strength)

    def _strength_of(self, opponent_range: OpponentRange, view: PlayerView) -> float:
        if not self.settings.candidates:
            return super()._strength_of(opponent_range, view)
        return float(self._strengths.read(view.board)[candidate_combos(opponent_range)].mean())

    def _values(self, view: PlayerView, opponent_range: OpponentRange, ahead: bool) -> list[Value]:
        return super()._values(view, opponent_range, ahead) if self.settings.values else []


class NoChoice(InterpretationChoice):
    """Interprets everybody alike, and learns nothing from shown hands."""

    def best(self, counters: OpponentCounters) -> ActionInterpretation:
        """Return the interpretation of everybody."""
        return replace(self.like, mirrored=self.mirrored).of(counters)

    def open(self, counters: OpponentCounters) -> bool:
        """Score no hands."""
        return False


def reader_of(settings: Settings) -> type[StrengthReader]:
    """Return what finds strengths under some settings; bots of one kind may share one."""
    optimistic = isinstance(settings, VariantSettings) and settings.optimistic
    return OptimisticReader if optimistic else StrengthReader


def weighted_strength(
    view: PlayerView,
    opponent_range: OpponentRange,
    strengths: NDArray[np.float64],
    *,
    optimistic: bool,
) -> float:
    """Return the strength of the own hand, 0 to 1, against the hands of a range by weight.

    Args:
        strengths: (1326,) on the board; before the flop the weight of weaker hands counts.
        optimistic: EHS' on flop and turn, else EHS.
    """
    weights, board = opponent_range.weights, view.board
    if not board:
        strength = strengths[combo_of(*view.hole)]
        weaker = weights @ (strengths < strength) + weights @ (strengths == strength) / 2
        return float(weaker / weights.sum())
    if optimistic and len(board) < _BOARD_CARDS:
        return hand_potential(view.hole, board, weights, _BOARD_CARDS - len(board)).ehs_optimistic
    return Showdowns(view).equity(weights)


def candidate_combos(opponent_range: OpponentRange) -> NDArray[np.bool_]:
    """Return (1326,) bool, the live combos of the highest weight there is."""
    weights = opponent_range.weights
    highest: NDArray[np.bool_] = weights >= weights.max() - _ROUNDING
    return np.logical_and(opponent_range.live, highest)


def bot_with(settings: Settings, **options: Any) -> Statistical:
    """Return the bot, or the variant, that plays by some settings; options as of `Statistical`."""
    if isinstance(settings, VariantSettings):
        return ModellerVariant(settings, **options)
    return Statistical(settings, **options)
