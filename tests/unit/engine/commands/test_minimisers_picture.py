"""The picture of `arena minimisers`."""

import xml.etree.ElementTree as ET

import pytest

from engine.cfr.adaptive_starts import EntrantSummary, MeanOfStarts, StartsSummary
from engine.commands.minimisers.command import main
from engine.commands.minimisers.picture import minimisers_svg

SVG = "{http://www.w3.org/2000/svg}"


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


def panels(games):
    """Return the panels of a picture."""
    return ET.fromstring(minimisers_svg(games)).findall(f"{SVG}g")


def ways(panel, role):
    """Return the lines of a role, as points."""
    return [
        [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        for line in panel.findall(f"{SVG}polyline")
        if line.get("class") == f"way {role}"
    ]


def test_the_picture_has_a_panel_for_each_game():
    """With the name of the game."""
    drawn = panels({"kuhn": GAME, "leduc": GAME})
    assert [panel.find(f"{SVG}text").text for panel in drawn] == ["kuhn", "leduc"]


def test_every_entrant_is_a_line_of_its_kind():
    """Bands belong to the best member and to the choice."""
    [panel] = panels({"kuhn": GAME})
    kinds = ("member", "best", "plain", "current", "average")
    assert [len(ways(panel, kind)) for kind in kinds] == [1] * 5
    bands = {band.get("class") for band in panel.findall(f"{SVG}polygon")}
    assert bands == {"band best", "band current", "band average"}


def test_both_axes_are_logarithms():
    """A tenth as exploitable after twice the iterations is a straight line down to the corner."""
    [panel] = panels({"kuhn": GAME})
    assert ways(panel, "best") == [[(0, 0), (145, 110), (290, 220)]]
    assert ways(panel, "member") == [[(0, 0), (145, 0), (290, 0)]]


def test_what_nobody_can_exploit_is_left_out():
    """It has no logarithm."""
    [panel] = panels({"kuhn": GAME})
    assert ways(panel, "current") == [[(0, 0), (290, 110)]]


@pytest.mark.parametrize("starts", ["0", "2"])
def test_the_picture_is_written(tmp_path, capsys, starts):
    """From one start, or from several, beside the table."""
    path = tmp_path / "ways.svg"
    words = ["coin-toss", "kuhn", "--iterations", "1", "--starts", starts, "--svg", str(path)]
    assert main(words) == 0
    assert len(ET.fromstring(path.read_text()).findall(f"{SVG}g")) == 2
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
