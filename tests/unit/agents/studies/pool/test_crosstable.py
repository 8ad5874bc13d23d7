"""All against all, and what the report makes of it."""

import json
import math
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from agents.roster.plane import quadrant_of
from agents.studies.pool import command
from agents.studies.pool.contestants import find_contestants
from agents.studies.pool.crosstable import Crosstable, play_pairs, samples_of
from agents.studies.pool.picture import plane_figure
from agents.studies.pool.report import as_data, as_text
from engine.console.drawing import figure_svg
from protocol.gamedefs import load_builtin

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

    def test_the_maniac_takes_one_blind_a_hand_from_the_limper(self, table):
        """1000 mbb/h: the limper gives up to every raise unless p ** 50 saves it."""
        won, ci95 = table.rate(1, 0)
        assert won == pytest.approx(1000, abs=max(ci95, 1))
        assert table.rate(0, 1) == (-won, ci95)

    def test_periods_of_a_wanderer_are_the_samples(self, table):
        """Three periods of 500 deals, so three samples."""
        samples = {(pair.one, pair.other): pair.rate.samples for pair in table.pairs}
        assert samples[0, 1] == DEALS
        assert samples[2, 3] == 3

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

    def test_another_seed_is_another_match(self, table):
        """The deals change."""
        (other,) = play_pairs(find_contestants(["O3", "O5"]), HUNL, DEALS, 5)
        assert other.rate.mbb_per_hand != table.rate(1, 2)[0]

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

    @pytest.mark.parametrize(("hands", "seed"), [(0, 1), (10, -1)])
    def test_no_hands_and_no_seed_are_refused(self, hands, seed):
        """Before anything is played."""
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
        """After Ctrl-C the pairs there are still make a table."""
        part = Crosstable(table.bots, table.pairs[:1])
        assert part.rate(2, 3) is None
        assert part.mean(3) is None
        assert part.habits(3).hands == 0
        assert as_data(part)["bots"][3]["mbb_per_hand"] is None
        assert "O_random" in as_text(part)
        assert "O_random" not in figure_svg(plane_figure(part, "part"))


class TestReport:
    """Text, JSON, SVG."""

    def test_text_has_a_row_for_each_bot_in_both_tables(self, table):
        """And the two results of a pair are each other's opposite."""
        text = as_text(table)
        habits, against, _ = text.split("\n\n")
        assert len(habits.splitlines()) == len(against.splitlines()) == 5
        assert "O1 (scared-limper)" in habits
        won = round(table.rate(2, 0)[0])
        assert f"{won:+,d} ± " in against.splitlines()[3]
        assert f"{-won:+,d} ± " in against.splitlines()[1]

    def test_json_holds_the_numbers(self, table):
        """All bots and all pairs, and nothing that JSON does not know."""
        data = json.loads(json.dumps(as_data(table), allow_nan=False))
        assert [bot["name"] for bot in data["bots"]] == ["O1", "O3", "O5", "O_random"]
        assert data["pairs"][0]["mbb_per_hand"] == pytest.approx(table.rate(0, 1)[0])
        assert data["bots"][1]["vpip"] == 1

    def test_marks_stand_where_the_habits_are(self, table):
        """The maniac in the upper right corner, the limper in the lower left; all are named."""
        figure = plane_figure(table, "a <title> & more")
        [axes] = figure.axes
        named = {text.get_text(): text for text in axes.texts}
        assert named["O3 hothead-maniac"].xy == (1.0, 1.0)
        assert named["O1 scared-limper"].xy[0] < 0.02
        assert named["O1 scared-limper"].xy[1] == 0.0
        [marks] = [line for line in axes.get_lines() if line.get_marker() == "o"]
        assert len(marks.get_xdata()) == 4
        assert "a &lt;title&gt; &amp; more" in figure_svg(figure)

    def test_names_do_not_cover_each_other(self, table):
        """Twelve bots at one point get twelve places."""
        pair = table.pairs[0]
        pairs = tuple(replace(pair, one=number, other=12) for number in range(12))
        [axes] = plane_figure(Crosstable(table.bots[:1] * 12, pairs), "crowd").axes
        boxes = [text.get_window_extent() for text in axes.texts]
        assert len(boxes) == 4 + 12
        for number, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:number])


class TestCommand:
    """`arena pool`."""

    def test_measures_and_writes(self, tmp_path, capsys):
        """A table on stdout, numbers and picture in files."""
        files = tmp_path / "pool.json", tmp_path / "pool.svg"
        code = command.main(
            ["O1", "O3", "--hands", "200", "--json", str(files[0]), "--svg", str(files[1])]
        )
        assert code == 0
        assert "O3 (hothead-maniac)" in capsys.readouterr().out
        data = json.loads(files[0].read_text())
        assert (data["complete"], data["pairs_played"], data["pairs_wanted"]) == (True, 1, 1)
        assert data["deals"] == 200
        assert data["pairs"][0]["hands"] == 400
        ET.fromstring(files[1].read_text())

    def test_ctrl_c_shows_what_there_is(self, monkeypatch, capsys, tmp_path):
        """The pairs played so far, in the file as well, which says so, and exit code 130."""

        def play_one(*args, **options):
            yield next(play_pairs(*args, **options))
            raise KeyboardInterrupt

        monkeypatch.setattr("agents.studies.pool.crosstable.play_pairs", play_one)
        path = tmp_path / "pool.json"
        assert command.main(["O1", "O2", "O3", "--hands", "50", "--json", str(path)]) == 130
        shown = capsys.readouterr()
        assert shown.err == "arena pool: stopped after 1 of 3 pairs\n"
        assert "O3 (hothead-maniac)" in shown.out
        data = json.loads(path.read_text())
        assert (data["complete"], data["pairs_played"], data["pairs_wanted"]) == (False, 1, 3)

    def test_ctrl_c_before_the_first_pair_shows_nothing(self, monkeypatch, capsys, tmp_path):
        """One line says so: there is no table, nor a file."""

        def play_none(*args, **options):
            raise KeyboardInterrupt

        path = tmp_path / "pool.json"
        monkeypatch.setattr("agents.studies.pool.crosstable.play_pairs", play_none)
        assert command.main(["O1", "O2", "O3", "--json", str(path)]) == 130
        shown = capsys.readouterr()
        line = "arena pool: stopped after 0 of 3 pairs: nothing to show or write\n"
        assert (shown.out, shown.err) == ("", line)
        assert not path.exists()

    def test_help_names_all_who_take_part(self, capsys):
        """Where nobody is named."""
        with pytest.raises(SystemExit):
            command.main(["--help"])
        told = " ".join(capsys.readouterr().out.split())
        assert ", ".join(one.name for one in find_contestants([])) in told

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["O9"], "no bot to measure"),
            (["O1"], "alone"),
            (["--game", "leduc"], "hold'em for two"),
            (["--hands", "0"], "whole number from 1"),
            (["--seed", "x"], "2\\*\\*32"),
            (["--game", "chess"], "chess"),
        ],
    )
    def test_wrong_arguments_are_told_in_one_line(self, arguments, message, capsys):
        """Exit code 2."""
        try:
            code = command.main(arguments)
        except SystemExit as stop:
            code = stop.code
        error = capsys.readouterr().err
        assert code == 2
        assert error.count("\n") == 1
        import re

        assert re.search(message, error)

    def test_a_file_that_cannot_be_written(self, tmp_path, capsys):
        """The table is shown all the same, exit code 1; known before, nothing is played, 2."""
        words = ["O1", "O2", "--hands", "20"]
        assert command.main([*words, "--json", "/dev/full"]) == 1
        shown = capsys.readouterr()
        assert "O2 (calling-machine)" in shown.out
        assert shown.err == "arena pool: /dev/full: No space left on device\n"
        for option in ("--json", "--svg"):
            with pytest.raises(SystemExit, match="2"):
                command.main([*words, option, str(tmp_path / "nowhere" / "pool")])
            shown = capsys.readouterr()
            assert (shown.out, shown.err.count("\n")) == ("", 1)
