"""What was tried and is not played: settings without a measured gain, kept to be measured again.

`VariantSettings` are those of the bot and these on top; with their defaults a variant plays as the
bot does.  `PatentInterpretation` is the patent's own scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.bot import BIN_SAMPLES, Settings, Statistical
from agents.statistical.deciding.values import Value
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.interpretation_choice import InterpretationChoice
from agents.statistical.ranges.thresholds import LEAST_ERROR, Band, Ramp, Ramps, band_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.counting.counters import OpponentCounters
    from agents.statistical.predicting.action_chances import Shares
    from agents.statistical.ranges.opponent_range import OpponentRange
    from engine.rules.view import PlayerView

_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class VariantSettings(Settings):
    """Settings of the bot, and what else can be swept."""

    candidates: bool = False
    """Compare with the mean of the hands of highest weight only, not with that of all by weight."""
    values: bool = True
    """Whether to do what wins most chips where it wins clearly more than the comparison; False: the
    comparison alone."""
    learn_reading: bool = True
    """Whether shown hands settle how actions are interpreted; False: by blurred ramps for ever."""
    bin_samples: int = BIN_SAMPLES
    """Own decisions that each strength bin must hold before phase 2."""

    def check(self) -> None:
        """Raise what is wrong with a setting, as `Settings.check` does."""
        Settings.check(self)
        if self.bin_samples < 0:
            raise ValueError(f"{self.bin_samples} samples a bin: want 0 or more")


class ModellerVariant(Statistical):
    """The modeller with settings that it does not have in play."""

    settings: VariantSettings

    def _interpretations(self) -> InterpretationChoice:
        made = InterpretationChoice if self.settings.learn_reading else NoChoice
        return made(load_shipped("curves"), self.settings.mirrored)

    def _full(self) -> bool:
        return self.counters.full_bins(self.settings.bin_samples)

    def _strength_of(self, held: OpponentRange, view: PlayerView) -> float:
        if not self.settings.candidates:
            return super()._strength_of(held, view)
        return float(self._strengths.read(view.board)[candidates(held)].mean())

    def _values(self, view: PlayerView, held: OpponentRange, ahead: bool) -> list[Value]:
        return super()._values(view, held, ahead) if self.settings.values else []


class NoChoice(InterpretationChoice):
    """Interprets everybody alike, and learns nothing from shown hands."""

    def best(self, counters: OpponentCounters) -> ActionInterpretation:
        """Return the interpretation of everybody."""
        return ActionInterpretation(mirrored=self.mirrored)

    def open(self, counters: OpponentCounters) -> bool:
        """Score no hands."""
        return False


def candidates(held: OpponentRange) -> NDArray[np.bool_]:
    """Return (1326,) bool, the live combos of the highest weight there is."""
    found = held.weights
    highest: NDArray[np.bool_] = found >= found.max() - _ROUNDING
    return np.logical_and(held.live, highest)


class PatentInterpretation(ActionInterpretation):
    """Shares are strengths, and ramps as sharp as in the patent's example.

    There calls lie from 0.2 to 0.7 on every street.
    """

    def ramps(
        self, shares: Shares, strengths: NDArray[np.float64], percentiles: NDArray[np.float64]
    ) -> tuple[Ramps, NDArray[np.float64]]:
        """Return the ramps of a player with some shares, and (1326,) the strengths of combos."""
        return patent_ramps(band_of(*shares)), strengths


def patent_ramps(band: Band) -> Ramps:
    """Return ramps of the band's own width, as the patent has them for raises.

    A raise is out of the question at the lower bound and certain from the upper one on.  A call
    begins around the lower bound and ends around the upper one.
    """
    error = max(band.error, LEAST_ERROR)
    return Ramps(Ramp(band.mean, error), Ramp(band.low, error), Ramp(band.high, error))


def bot_with(settings: Settings, **options: Any) -> Statistical:
    """Return the bot, or the variant, that plays by some settings; options as of `Statistical`."""
    return (ModellerVariant if isinstance(settings, VariantSettings) else Statistical)(
        settings, **options
    )
