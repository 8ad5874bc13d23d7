"""Pictures of fitness: which lines are drawn, and where."""

import re
import xml.etree.ElementTree as ET

from agents.evolution.fitness_picture import fitness_svg

SVG = "{http://www.w3.org/2000/svg}"


def history(*fitness):
    """Facts of generations with some means; the best of each is a tenth above."""
    return [
        {"generation": at, "mean_fitness": mean, "best_fitness": mean + 0.1}
        for at, mean in enumerate(fitness)
    ]


def drawn(text):
    """Return all texts, and the points of the first path of each line."""
    svg = ET.fromstring(text)
    lines = {}
    for path in svg.iter(f"{SVG}path"):
        if path.get("class").startswith("line"):
            numbers = [float(one) for one in re.findall(r"-?[\d.]+", path.get("d"))]
            points = list(zip(numbers[::2], numbers[1::2], strict=True))
            lines.setdefault(path.get("class"), points)
    return [text.text for text in svg.iter(f"{SVG}text")], lines


def test_a_run_has_its_mean_and_its_best():
    """The best above, dashed; both named, a point for each generation."""
    texts, lines = drawn(fitness_svg("run", {"it": history(-0.5, 0.0, 0.5)}))
    assert {"run", "it, mean", "it, best"} <= set(texts)
    mean, best = lines["line0"], lines["line1 dashed"]
    assert len(mean) == len(best) == 3
    assert all(above[1] < below[1] for above, below in zip(best, mean, strict=True))


def test_several_runs_have_their_means_and_names():
    """A line each, no best; nothing yet is a picture too."""
    told = {"S1 & S2": history(0.1, 0.2), "S3": history(0.3, 0.4, 0.5)}
    texts, lines = drawn(fitness_svg("runs", told))
    assert set(told) <= set(texts)
    assert [len(points) for points in lines.values()] == [2, 3]
    for nothing in ({"it": []}, {"it": [], "other": []}):
        assert "generation" in drawn(fitness_svg("run", nothing))[0]


def test_what_is_far_below_is_at_the_edge():
    """Generations that have just met new opponents may lose any amount."""
    _, lines = drawn(fitness_svg("run", {"it": history(-2.0, -500.0, 1.0)}))
    heights = [y for _, y in lines["line0"]]
    assert heights[0] == heights[1] > heights[2]
