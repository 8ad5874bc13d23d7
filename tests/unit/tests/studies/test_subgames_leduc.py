"""Unsafe and safe solving in Leduc, below blueprints that are good, or post-processed."""

from argparse import Namespace

import pytest

from tests.studies.subgames_leduc import run


@pytest.fixture(scope="module")
def rows():
    """By whether it was post-processed, what one blueprint loses before and after."""
    facts = run(Namespace(ranks=3, algorithm="cfr", iterations=(300,), solved=100))
    return {row["post_processed"]: row["exploitability"] for row in facts["blueprints"]}


@pytest.mark.parametrize("post_processed", [False, True])
def test_safe_techniques_improve_a_blueprint_that_unsafe_ones_ruin(rows, post_processed):
    """Three times as much is lost, and nearly ten times where unlikely actions are left out."""
    lost = rows[post_processed]
    assert lost["unsafe"] > (6 if post_processed else 3) * lost["blueprint"]
    assert lost["max-margin"] < lost["resolve"] < lost["blueprint"]
