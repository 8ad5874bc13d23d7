"""Marks of an SVG picture that all pictures draw alike."""

from __future__ import annotations

import xml.etree.ElementTree as ET


def add_line(
    parent: ET.Element, x1: float, y1: float, x2: float, y2: float, style: str
) -> ET.Element:
    """Draw a line between two points, user units; `style` is a class."""
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    written = {name: f"{value:.1f}" for name, value in ends.items()}
    return ET.SubElement(parent, "line", written | {"class": style})


def add_text(
    parent: ET.Element,
    x: float,
    y: float,
    text: str,
    style: str,
    *,
    anchor: str = "start",
    size: int | None = None,
) -> ET.Element:
    """Write a text at a point, user units; `size` in pixels, None: the picture's own."""
    attributes = {"x": f"{x:.1f}", "y": f"{y:.1f}", "class": style, "text-anchor": anchor}
    if size is not None:
        attributes["font-size"] = str(size)
    found = ET.SubElement(parent, "text", attributes)
    found.text = text
    return found
