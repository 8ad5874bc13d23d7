"""Charts of lines: well-formed, nothing outside, round numbers beside."""

import re
import xml.etree.ElementTree as ET

import pytest

from engine.console.line_chart import ChartLine, line_chart

SVG = "{http://www.w3.org/2000/svg}"
LINES = [
    ChartLine("one", [(1, 0.5), (2, -70), (3, 12)]),
    ChartLine("a & b", [(2, 3), (5, 4)], dashed=True),
]


def drawn(text):
    """Return the picture, and the points of each path by its class."""
    svg = ET.fromstring(text)
    paths = {}
    for path in svg.iter(f"{SVG}path"):
        numbers = [float(one) for one in re.findall(r"-?[\d.]+", path.get("d"))]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        paths.setdefault(path.get("class"), []).append(points)
    return svg, paths


@pytest.mark.parametrize("limits", [None, (-2.0, 1.0)])
def test_all_is_inside_the_plot(limits):
    """Also what lies outside the limits."""
    svg, paths = drawn(line_chart("title", "up", "across", LINES, limits))
    texts = [text.text for text in svg.iter(f"{SVG}text")]
    assert {"title", "up", "across", "one", "a & b", "0"} <= set(texts)
    for style in ("line0", "line1 dashed"):
        for x, y in paths[style][0]:
            assert 70 <= x <= 610
            assert 70 <= y <= 370


def test_points_stand_where_their_numbers_say():
    """With the limits 0 and 10 the middle is 5; the first and last point are at the edges."""
    _, paths = drawn(
        line_chart("t", "u", "a", [ChartLine("x", [(0, 0), (1, 5), (2, 10)])], (0, 10))
    )
    assert paths["line0"][0] == [(70, 370), (340, 220), (610, 70)]


@pytest.mark.parametrize("lines", [[], [ChartLine("none", [])], [ChartLine("one", [(3, 3)])]])
def test_little_to_draw_is_drawn(lines):
    """Nothing, an empty line, a single point."""
    svg, _ = drawn(line_chart("t", "u", "a", lines))
    assert svg.tag == f"{SVG}svg"
