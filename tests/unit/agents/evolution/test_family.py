"""What both families promise to those that evolve them."""

from dataclasses import replace

import numpy as np
import pytest

from agents.ashe.policy import ASHE
from agents.astar.family import ASTAR
from agents.lookahead.policy import LOOKAHEAD
from agents.recurrent.shape import GAME_ANEW, NetShape, Stack, random_genome

FAMILIES = pytest.mark.parametrize(
    "family", [ASTAR, ASHE, LOOKAHEAD], ids=lambda family: family.name
)


def shape_of(family):
    """Return small sizes that fit a family."""
    return NetShape(
        Stack(1, 1, 1), Stack(1, 1, 1), (2,), family.opponent_inputs, family.game_inputs,
        family.outputs, family.activation,
    )  # fmt: skip


@FAMILIES
def test_a_shape_fits_its_family(family):
    """Whatever its own sizes, with the family's inputs, outputs and activation alone."""
    shape = shape_of(family)
    assert family.fits(shape)
    assert family.fits(replace(shape, head=(7, 7), game=Stack(3, 2, 1)))
    other = "tanh" if family.activation == "rectified" else "rectified"
    for changes in (
        {"opponent_inputs": family.opponent_inputs + 1},
        {"game_inputs": family.game_inputs + 1},
        {"outputs": family.outputs + 1},
        {"activation": other},
    ):
        assert not family.fits(replace(shape, **changes))


@FAMILIES
def test_policies_are_made_of_whole_genomes_of_numbers(family):
    """As many as the shape says, every one finite."""
    shape = shape_of(family)
    genome = random_genome(shape, np.random.default_rng(1))
    assert family.policy(shape, genome, GAME_ANEW, 7).seed == 7
    with pytest.raises(ValueError, match="genome of"):
        family.policy(shape, genome[1:], GAME_ANEW, 7)
    for at in range(len(genome)):
        wrong = genome.copy()
        wrong[at] = np.nan
        with pytest.raises(ValueError, match="numbers that are none"):
            family.policy(shape, wrong, GAME_ANEW, 7)
