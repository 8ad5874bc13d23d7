"""SVG pictures: their frame, and the marks that all of them draw alike."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Final

_STYLE: Final = """
svg { font: 12px sans-serif; } .paper { fill: #ffffff; }
.ink { fill: #222222; } .faint { fill: #6a6a6a; } .grid { stroke: #d4d4d4; fill: none; }
@media (prefers-color-scheme: dark) {
.paper { fill: #16181c; } .ink { fill: #e8e8e8; } .faint { fill: #a2a2a2; }
.grid { stroke: #3a3d42; }
}
"""


def new_picture(width: float, height: float, title: str, style: str) -> ET.Element:
    """Return a picture of so many user units with nothing in it; `style` is CSS of its marks."""
    svg = ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
        role="img",
    )
    ET.SubElement(svg, "title").text = title
    ET.SubElement(svg, "style").text = _STYLE + style.lstrip("\n")
    ET.SubElement(svg, "rect", {"width": "100%", "height": "100%", "class": "paper"})
    return svg


def svg_text(svg: ET.Element) -> str:
    """Return a picture as the text of its file."""
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


def round_step(least: float, steps: Sequence[float] = (1, 2, 5, 10)) -> float:
    """Return the smallest of some multiples of powers of ten that is not less than `least` > 0."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * times for times in steps if power * times >= least)


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
    element = ET.SubElement(parent, "text", attributes)
    element.text = text
    return element
