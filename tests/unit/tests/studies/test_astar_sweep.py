"""The sweep of the ensemble's settings: every setting from the same deals."""

import json
from itertools import product

import pytest

from tests.studies import frame
from tests.unit.agents.astar.conftest import small_models

__all__ = ["small_models"]


@pytest.fixture
def swept(small_models, tmp_path):
    """Run a sweep of the small models; return its settings."""

    def run(words):
        out = tmp_path / "sweep.json"
        line = ["astar-sweep", "--models", small_models, "--threads", "1", "--out", out]
        assert frame.main([*map(str, line), *words.split()]) == 0
        return json.loads(out.read_text())["settings"]

    return run


def test_each_setting_is_a_row(swept):
    """Forms by sharpness by confidence, in that order, the same each time."""
    words = (
        "--deals 50 --against O2 O4+O8@10 --sharpness 0.1 0.3 --confidence 0 5 --half-life 0 "
        "--doubt 0 --patience 0 --form exponential inverse evidence"
    )
    rows = swept(words)
    settings = [(row["form"], row["sharpness"], row["confidence"]) for row in rows]
    assert settings == list(product(("exponential", "inverse", "evidence"), (0.1, 0.3), (0, 5)))
    assert len({json.dumps(row["won"]) for row in rows}) > 4
    assert swept(words) == rows


def test_the_first_deals_of_several_matches(swept):
    """The whole of a match is the same with and without its beginning; the prior changes it."""
    words = "--deals 30 --against O2 O4 --matches 4 --prior 0 500 --half-life 0"
    whole, parts = swept(words), swept(f"{words} --first 10 30")
    assert [(row["prior"], row["first"]) for row in parts] == list(product((0.0, 500.0), (10, 30)))
    assert [row["won"] for row in whole] == [row["won"] for row in parts[1::2]]
    assert whole[0]["won"] != whole[1]["won"]
