"""The picture of `arena minimisers`."""

import pytest

from engine.cfr.adaptive_starts import EntrantSummary, MeanOfStarts, StartsSummary
from engine.commands.minimisers.command import main
from engine.commands.minimisers.picture import minimisers_figure


def entrant(name, *exploitability):
    """Return means after 1, 2 and 4 iterations, within half of each."""
    means = tuple(MeanOfStarts(mean, mean / 2) for mean in exploitability)
    return EntrantSummary(name, (1, 2, 4), means, MeanOfStarts(1.0, 0.1), None, None, (1.0,))


GAME = StartsSummary(
    ("a", "b"),
    3,
    "b",
    (
        entrant("a", 0.1, 0.1, 0.1),
        entrant("b", 0.1, 0.01, 0.001),
        entrant("in turn", 0.1, 0.05, 0.02),
        entrant("adaptive sum, current", 0.1, 0.0, 0.01),
        entrant("adaptive sum, average", 0.1, 0.05, 0.01),
    ),
    2,
)


def lines(axes, meaning):
    """Return the points of the lines whose colour the legend gives a meaning."""
    legend = axes.figure.legends[0]
    texts = [text.get_text() for text in legend.get_texts()]
    colour = legend.get_lines()[texts.index(meaning)].get_color()
    return [line.get_xydata().tolist() for line in axes.get_lines() if line.get_color() == colour]


def test_the_picture_has_a_panel_for_each_game():
    """With the name of the game."""
    drawn = minimisers_figure({"kuhn": GAME, "leduc": GAME}).axes
    assert [axes.get_title(loc="left") for axes in drawn] == ["kuhn", "leduc"]


def test_every_entrant_is_a_line_of_its_kind():
    """In thousandths; bands belong to the best member and to the choice."""
    [axes] = minimisers_figure({"kuhn": GAME}).axes
    best = lines(axes, "best member alone")
    assert best == [[pytest.approx(point) for point in ([1, 100], [2, 10], [4, 1])]]
    assert len(lines(axes, "other members")) == len(lines(axes, "in turn, at random")) == 1
    assert len(axes.collections) == 3


def test_both_axes_are_logarithms():
    """Of iterations and of exploitability."""
    [axes] = minimisers_figure({"kuhn": GAME}).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_what_nobody_can_exploit_is_left_out():
    """It has no logarithm."""
    [axes] = minimisers_figure({"kuhn": GAME}).axes
    assert lines(axes, "chosen by current") == [[[1, 100], [4, 10]]]


@pytest.mark.parametrize("starts", ["0", "2"])
def test_the_picture_is_written(tmp_path, capsys, starts):
    """From one start, or from several, beside the table."""
    path = tmp_path / "ways.svg"
    words = ["coin-toss", "kuhn", "--iterations", "1", "--starts", starts, "--svg", str(path)]
    assert main(words) == 0
    assert [name in path.read_text() for name in ("coin-toss", "kuhn")] == [True] * 2
    assert "adaptive" in capsys.readouterr().out


def test_a_picture_that_cannot_be_written_is_told_first(tmp_path, capsys):
    """Nothing is measured."""
    both = str(tmp_path / "both")
    for words, why in [
        (["--svg", str(tmp_path / "none" / "x.svg")], "there is no folder"),
        (["--svg", both, "--json", both], "cannot be both"),
    ]:
        with pytest.raises(SystemExit) as stop:
            main(["kuhn", *words])
        assert stop.value.code == 2
        assert why in capsys.readouterr().err
