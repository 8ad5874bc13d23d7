"""A match that goes on until a sequential test decides it: `--sprt mbb0=0 mbb1=10`.

The test is of the first bot's duplicate sets in the order of runs and deals, so it says the same
whenever it is looked at, however many legs are played at once, and after a resumption.  Runs are
added one by one, so there is no number of hands to be fixed beforehand.  Samples have all-in
expectation unless raw ones are asked for: AIVAT is not bounded by a stack.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from dealer.errors import MatchUsageError
from dealer.results.match_result import expected_chips
from dealer.series.logs import Chips, LegLog, MatchLogs
from engine.console.quantities import duration
from engine.estimates.estimators import ALLIN, RAW
from engine.estimates.sprt import (
    SequentialDecision,
    SequentialState,
    SequentialTest,
    SequentialWalk,
)
from engine.rules.pots import most_chips
from protocol.gamedef import GameDef

SD_PER_WORST_LOSS: Final = 1 / 15
"""Where nothing else is known, a duplicate set's standard deviation is this part of what a hand can
cost: the median of 84 pairs of shipped bots with 200 big blinds (docs/data/cnn/duels.jsonl), of
which half had 0.6 to 2.5 times as much."""
SETS_TO_TRUST_SD: Final = 200
TOO_NARROW: Final = (
    "intervals assume a number of hands fixed beforehand; after a sequential test the intervals "
    "are too narrow"
)
_FIRST: Final = 0
_NUMBERS: Final = ("mbb0", "mbb1", "alpha", "beta")
_ESTIMATOR: Final = "estimator"
_SAID: Final = {RAW: "duplicate sets as played", ALLIN: "duplicate sets with all-in expectation"}


def parse_test(arguments: Sequence[str], estimator: str = ALLIN) -> SequentialTest:
    """Return the test that words such as mbb0=0 mbb1=10 alpha=0.05 beta=0.05 ask for.

    Args:
        words: as given.
        estimator: where none is named.

    Raises:
        MatchUsageError: they ask for none.
    """
    numbers: dict[str, float] = {"mbb0": 0.0}
    for argument in arguments:
        name, sign, text = argument.partition("=")
        if name == _ESTIMATOR and sign:
            estimator = text
            continue
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if name not in _NUMBERS or not sign or math.isnan(number):
            raise MatchUsageError(
                f"--sprt {argument}: want numbers as mbb0=0 mbb1=10 alpha=0.05 beta=0.05, or "
                f"{_ESTIMATOR}={RAW}"
            )
        numbers[name] = number
    if "mbb1" not in numbers:
        raise MatchUsageError("--sprt wants at least mbb1=, the win rate in mbb/h to be shown")
    try:
        return SequentialTest(**numbers, estimator=estimator)
    except ValueError as exc:
        raise MatchUsageError(f"--sprt: {exc}") from exc


def most_mbb(game: GameDef) -> float:
    """Return what a hand of a game can cost at most, mbb/h."""
    return 1000 * most_chips(game) / game.big_blind


def check_hypotheses(test: SequentialTest, game: GameDef) -> None:
    """Refuse what nobody can win.  Raises MatchUsageError."""
    try:
        test.reach(most_mbb(game))
    except ValueError as exc:
        raise MatchUsageError(f"--sprt: {exc}") from exc


def guessed_sd(most: float) -> float:
    """Return the standard deviation of a duplicate set where none is known.

    Args:
        most: what a hand can cost, in the unit of the result.
    """
    return SD_PER_WORST_LOSS * most


class MatchTest:
    """The sequential test of a match, over the sets in its logs."""

    def __init__(self, test: SequentialTest, logs: MatchLogs) -> None:
        """Begin with the sets that were read.

        Raises:
            ValueError: see `check_hypotheses`.
        """
        self.test = test
        self.most = most_mbb(logs.game)
        self._logs = logs
        self._taken = 0
        self._predicted = False
        self._walk = SequentialWalk(test, self.most)
        self.update()

    @property
    def decided(self) -> bool:
        """Whether it is over."""
        return self._walk.decided

    @property
    def state(self) -> SequentialState:
        """Where it stands."""
        return self._walk.state

    def update(self) -> None:
        """Take the sets that were read since the last call."""
        if not self.decided:
            expected = self._expected if self.test.estimator == ALLIN else None
            chips = self._logs.sets_in_order(_FIRST, self._taken, expected)
            self._taken += len(chips)
            self._walk.add((chips * (1000 / self._logs.game.big_blind)).tolist())

    def _expected(self, legs: Sequence[LegLog], hands: range) -> Chips:
        return expected_chips(self._logs.game, legs, lambda done: None, hands)

    def prediction(self) -> str:
        """Return how many hands the test will take, and what that is based on.

        Before there are `SETS_TO_TRUST_SD`, by a guess, then once more by their spread; else "".
        """
        samples, sd = self._walk.state.samples, self._walk.sd
        has_enough_sets = samples >= SETS_TO_TRUST_SD
        if self.decided or self._predicted:
            return ""
        self._predicted = has_enough_sets
        if has_enough_sets:
            basis = f"as in the {samples:,} duplicate sets so far"
            return prediction_text(self.test, sd, self.most, basis)
        basis = "a guess from the stacks, until there are sets to go by"
        return prediction_text(self.test, guessed_sd(self.most), self.most, basis)


def predicted_hands(
    test: SequentialTest, sd: float, most: float, hands_per_sample: int = 2
) -> dict[str, int]:
    """Return about how many hands a test takes.

    Args:
        sd: standard deviation of a sample, mbb/h.
        most: that a hand can cost, mbb/h.
        hands_per_sample: 2 in duplicate sets of two players.

    Returns:
        By "mbb0", "middle" and "mbb1", where that is the true win rate; and "fixed", for a test
        whose number of hands is fixed beforehand.
    """
    means = {"mbb0": test.mbb0, "middle": test.middle, "mbb1": test.mbb1}
    samples = {name: test.expected_samples(mean, sd, most) for name, mean in means.items()}
    samples["fixed"] = test.fixed_samples(sd)
    return {name: hands_per_sample * round(count) for name, count in samples.items()}


def prediction_text(test: SequentialTest, sd: float, most: float, basis: str) -> str:
    """Return the same as a sentence.

    Args:
        basis: where the standard deviation comes from.
    """
    hands = predicted_hands(test, sd, most)
    return (
        f"about {hands['mbb0']:,} hands decide at a true win rate of {test.mbb0:g} mbb/h, "
        f"{hands['middle']:,} at {test.middle:g}, {hands['mbb1']:,} at {test.mbb1:g}; fixed "
        f"beforehand: {hands['fixed']:,} (SD of a set {sd:,.0f} mbb/h, {basis})"
    )


def sequential_text(test: SequentialTest, state: SequentialState, speed: float) -> str:
    """Return where a test stands, for a line of progress; `speed` is in hands a second."""
    above, below = test.bounds
    text = f"H1 {state.against_h0:+.2f} of {above:.2f}, H0 {state.against_h1:+.2f} of {below:.2f}"
    if state.more_samples is not None:
        hands = 2 * state.more_samples
        text += f", about {hands:,} hands left"
        if speed > 0:
            text += f" ({duration(hands / speed)})"
    return text


def decision_text(test: SequentialTest, state: SequentialState, label: str) -> str:
    """Return what a test says, a paragraph."""
    above, below = test.bounds
    said = {
        SequentialDecision.OPEN: "not decided",
        SequentialDecision.H0: f"decided: {label} does not win {test.mbb1:g} mbb/h",
        SequentialDecision.H1: f"decided: {label} wins more than {test.mbb0:g} mbb/h",
    }[state.decision]
    return (
        f"sequential test of {label}: {test.mbb0:g} against {test.mbb1:g} mbb/h, alpha "
        f"{test.alpha:g}, beta {test.beta:g}\n"
        f"{said}, by {state.samples:,} {_SAID[test.estimator]}: evidence against H0 "
        f"{state.against_h0:+.2f} of {above:.2f}, against H1 {state.against_h1:+.2f} of "
        f"{below:.2f} (logarithms)\n"
        f"({TOO_NARROW})\n"
    )


def decision_document(test: SequentialTest, state: SequentialState) -> dict[str, Any]:
    """Return what a test says as plain values."""
    above, below = test.bounds
    return {
        **asdict(test),
        "llr_h1": state.against_h0,
        "llr_h1_bound": above,
        "llr_h0": state.against_h1,
        "llr_h0_bound": below,
        "sets": state.samples,
        "decision": state.decision.value,
    }
