"""Figures are the same each time."""

import xml.etree.ElementTree as ET

from tests.documents import drawing


def test_the_same_figure_has_the_same_bytes():
    """Five panels in two rows, and the title as it was given."""
    written = []
    for _ in range(2):
        figure, panels = drawing.new_figure("a <b> & c", "below", 5, 3, (2.0, 2.0))
        panels[4].plot([0, 1], [1, 0])
        written.append(drawing.figure_svg(figure))
    assert len(figure.axes) == len(panels) == 5
    assert written[0] == written[1]
    assert "a <b> & c" in "".join(ET.fromstring(written[0]).itertext())
