"""Figures: asked for only where they can be drawn, and the same each time."""

import argparse
import xml.etree.ElementTree as ET

import pytest

from engine.console import drawing


def test_without_matplotlib_a_figure_is_refused_before_anything_is_measured(monkeypatch, tmp_path):
    """With what to install."""
    monkeypatch.setattr(drawing, "find_spec", lambda name: None)
    with pytest.raises(argparse.ArgumentTypeError, match=r"pip install '\.\[studies\]'"):
        drawing.figure_file(str(tmp_path / "x.svg"))


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    """As for every other output."""
    assert drawing.figure_file(str(tmp_path / "x.svg")) == tmp_path / "x.svg"
    with pytest.raises(argparse.ArgumentTypeError):
        drawing.figure_file(str(tmp_path / "nowhere" / "x.svg"))


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
