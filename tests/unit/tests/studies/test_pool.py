"""All against all: what is played, counted and written down."""

import json
import math

import numpy as np
import pytest

from agents.roster.contestants import find_contestants
from agents.roster.plane import quadrant_of
from protocol.gamedefs import load_builtin
from tests.documents import modeller_figures
from tests.studies.pool import Crosstable, as_data, play_pairs, samples_of

HUNL = load_builtin("hunl")
DEALS = 1500


@pytest.fixture(scope="module")
def table() -> Crosstable:
    """Four bots, 1500 deals a pair."""
    bots = find_contestants(["O1", "O3", "O5", "O_random"])
    return Crosstable(bots, tuple(play_pairs(bots, HUNL, DEALS, 4)))


class TestPlay:
    """What is played and counted."""

    def test_every_pair_is_played_once(self, table):
        """Six of four bots, all deals in both seatings."""
        assert [(pair.one, pair.other) for pair in table.pairs] == [
            (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3),
        ]  # fmt: skip
        assert {pair.rate.hands for pair in table.pairs} == {2 * DEALS}
        samples = {(pair.one, pair.other): pair.rate.samples for pair in table.pairs}
        assert (samples[0, 1], samples[2, 3]) == (DEALS, 3)  # a wanderer's periods of 500 deals
        won, ci95 = table.rate(1, 0)  # the limper gives up unless p ** 50 saves it
        assert won == pytest.approx(1000, abs=max(ci95, 1))
        assert table.rate(0, 1) == (-won, ci95)
        assert json.loads(json.dumps(as_data(table), allow_nan=False))["bots"][1]["vpip"] == 1

    def test_habits_are_those_of_the_numbers(self, table):
        """Who never raises, who always does, and how many hands are counted."""
        limper, maniac, passive, _ = (table.habits(number) for number in range(4))
        assert limper.played < 0.01
        assert limper.raise_share == 0
        assert maniac.played == maniac.raise_share == maniac.vpip == 1
        assert passive.hands == 3 * 2 * DEALS

    def test_the_band_of_a_bot_is_measured(self, table):
        """Within 4 standard deviations, atoms of hands allowed for.

        The maniac raises to 300: O5 is asked for 200 chips of 400, half of what lies there, and
        keeps half of the 85 % that it plays; a point of the plane plays three of four at any price.
        """
        bots = find_contestants(["O3", "O5", "plane-75-20"])
        pairs = play_pairs(bots, HUNL, DEALS, 4)
        priced, plain = (pair for pair in pairs if pair.one == 0)
        for pair, share in ((priced, 0.85 / 2), (plain, 0.75)):
            measured = Crosstable(bots, (pair,)).habits(pair.other).played
            assert measured == pytest.approx(share, abs=0.01 + 2 / DEALS**0.5)

    def test_bots_play_as_their_place_in_the_plane_says(self):
        """Where all meet all, tight is less than 40 % measured, and weak less than 40 % raises."""
        bots = find_contestants([])
        table = Crosstable(bots, tuple(play_pairs(bots, HUNL, 1000, 6)))
        habits = {bot.name: table.habits(number) for number, bot in enumerate(bots)}
        placed = [bot for bot in bots if "-" in bot.quadrant]
        assert {"O4", "O5", "O6", "O7", "O8"} < {bot.name for bot in placed}
        for bot in placed:
            own = habits[bot.name]
            assert quadrant_of(own.played, own.raise_share) == bot.quadrant, bot.name

    def test_a_pair_does_not_depend_on_who_else_plays(self, table):
        """Alone and on two threads it has the same result."""
        bots = find_contestants(["O3", "O_random"])
        (alone,) = play_pairs(bots, HUNL, DEALS, 4, at_once=2)
        assert (alone.rate.mbb_per_hand, alone.rate.ci95) == table.rate(1, 3)
        assert (alone.counts == table.pairs[4].counts).all()

    def test_a_wanderer_visits_other_points_against_each_opponent(self):
        """What it wins in a period from one bot tells nothing of another that plays alike.

        At the same points the correlation is 0.95, and the mean's interval half as wide as it
        should be.
        """
        bots = find_contestants(["O_random", "plane-75-20", "plane-76-20"])
        won = []
        for seed in range(30):
            table = Crosstable(bots, tuple(play_pairs(bots, HUNL, 500, seed)))
            won.append([table.rate(0, other)[0] for other in (1, 2)])
        assert abs(np.corrcoef(np.array(won).T)[0, 1]) < 0.4

    def test_samples_are_means_over_seatings_and_periods(self):
        """Five deals in periods of two: the last is left out."""
        won = np.array([[1.0, 3, 5, 7, 100], [3.0, 5, 7, 9, 100]])
        assert samples_of(won, 1).tolist() == [2, 4, 6, 8, 100]
        assert samples_of(won, 2).tolist() == [3, 7]
        for hands, seed in ((0, 1), (10, -1)):
            with pytest.raises(ValueError, match="want 1 or more"):
                next(play_pairs(find_contestants(["O1", "O2"]), HUNL, hands, seed))


class TestTable:
    """Means and gaps."""

    def test_means_are_over_opponents(self, table):
        """Of the results, and of the squares of the intervals."""
        won, ci95 = table.mean(2)
        rates = [table.rate(2, other) for other in (0, 1, 3)]
        assert won == pytest.approx(sum(rate[0] for rate in rates) / 3)
        assert ci95 == pytest.approx(math.hypot(*(rate[1] for rate in rates)) / 3)

    def test_what_was_not_played_is_missing(self, table):
        """Such pairs and bots have no numbers."""
        part = Crosstable(table.bots, table.pairs[:1])
        assert part.rate(2, 3) is None
        assert part.mean(3) is None
        assert part.habits(3).hands == 0
        assert as_data(part)["bots"][3]["mbb_per_hand"] is None


class TestResult:
    """JSON, and its figure."""

    def test_marks_stand_where_the_habits_are(self, table, monkeypatch):
        """The maniac in the upper right corner, the limper in the lower left; all are named."""
        [axes] = plane(monkeypatch, as_data(table)["bots"]).axes
        named = {text.get_text(): text for text in axes.texts}
        assert named["O3 hothead-maniac"].xy == (1.0, 1.0)
        assert named["O1 scared-limper"].xy[0] < 0.02
        assert named["O1 scared-limper"].xy[1] == 0.0
        [marks] = [line for line in axes.get_lines() if line.get_marker() == "o"]
        assert len(marks.get_xdata()) == 4

    def test_names_do_not_cover_each_other(self, table, monkeypatch):
        """Twelve bots at one point get twelve places; a bot without habits gets none."""
        bots = as_data(table)["bots"]
        nobody = {**bots[0], "played": None}
        [axes] = plane(monkeypatch, [*bots[:1] * 12, nobody]).axes
        boxes = [text.get_window_extent() for text in axes.texts]
        assert len(boxes) == 4 + 12
        for number, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:number])


def plane(monkeypatch, bots):
    """The figure of some measured bots."""
    facts = {"game": "no-limit for 2 players, blinds 100/50", "deals": 10, "seed": 1, "bots": bots}
    monkeypatch.setattr(modeller_figures, "data", lambda name: facts)
    return modeller_figures.plane()
