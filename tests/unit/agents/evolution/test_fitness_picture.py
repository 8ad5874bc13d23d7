"""The picture of a run, read as XML."""

import re
import xml.etree.ElementTree as ET

import pytest

from agents.evolution.fitness_picture import fitness_svg

LEFT, TOP, RIGHT, BOTTOM = 70, 70, 630, 370
"""Of the plot."""
SVG = "{http://www.w3.org/2000/svg}"


def told(*fitness):
    """Return the facts of some generations: pairs of mean and best."""
    return [{"mean_fitness": mean, "best_fitness": best} for mean, best in fitness]


def curves_of(picture):
    """Return class -> points of what is drawn in the plot, without axes and legend."""
    found = {}
    for path in picture.iter(f"{SVG}path"):
        numbers = [float(one) for one in re.findall(r"-?\d+\.\d", path.get("d"))]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if path.get("class").startswith("line") and points[0][0] <= RIGHT:
            found[path.get("class")] = points
    return found


def texts_of(picture):
    """Return all that is written."""
    return [text.text for text in picture.iter(f"{SVG}text")]


def test_a_run_has_its_mean_and_its_best():
    """One point for each generation; 1 is the top, -2 the bottom."""
    facts = told((-2.0, 0.0), (-0.5, 0.5), (0.0, 1.0))
    picture = ET.fromstring(fitness_svg("of a run", {"population": facts}))
    assert curves_of(picture) == {
        "line0": [(70, 370), (350, 220), (630, 170)],
        "line1 dashed": [(70, 170), (350, 120), (630, 70)],
    }
    assert {"of a run", "population, mean", "population, best", "generation"} <= set(
        texts_of(picture)
    )


def test_several_runs_have_their_means_and_names():
    """Whatever they are called; more of them than colours, shorter and longer ones."""
    names = [f'run {number} <&">' for number in range(8)]
    curves = {name: told(*[(0.1 * at, 1.0)] * (at + 2)) for at, name in enumerate(names)}
    picture = ET.fromstring(fitness_svg("a < b & c", curves))
    assert set(names) <= set(texts_of(picture))
    assert "a < b & c" in texts_of(picture)
    paths = [path.get("class") for path in picture.iter(f"{SVG}path")]
    assert [paths.count(f"line{at}") for at in range(7)] == [4, 4, 2, 2, 2, 2, 0]
    longest = curves_of(picture)["line1"]  # the last of eight
    assert (longest[0][0], longest[-1][0], len(longest)) == (LEFT, RIGHT, 9)


@pytest.mark.parametrize("count", [1, 2, 250])
def test_no_curve_leaves_the_plot(count):
    """However much is lost, and at one generation."""
    facts = told(*[(-(10.0**at), 1.0 + at) for at in range(count)])
    for points in curves_of(ET.fromstring(fitness_svg("far", {"it": facts}))).values():
        assert len(points) == count
        assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in points)


@pytest.mark.parametrize("curves", [{}, {"it": []}, {"it": [], "other": []}], ids=str)
def test_nothing_yet_is_a_picture_too(curves):
    """Axes without curves."""
    picture = ET.fromstring(fitness_svg("nothing", curves))
    assert not curves_of(picture)
    assert "generation" in texts_of(picture)


def test_colours_are_for_light_and_dark():
    """Each class that is drawn has a colour in both; no dark one is that of light."""
    curves = {str(at): told((0.0, 1.0)) for at in range(6)}
    picture = ET.fromstring(fitness_svg("colours", curves))
    style = "".join(one.text for one in picture.iter(f"{SVG}style"))
    light, dark = style.split("path { fill", 1)[1].split("@media (prefers-color-scheme: dark) {")
    for at in range(6):
        rule = rf"\.line{at} {{ stroke: (#[0-9a-f]{{6}}); }}"
        (by_day,), (by_night,) = re.findall(rule, light), re.findall(rule, dark)
        assert by_day != by_night
    assert style.count("{") == style.count("}")
