import numpy as np
import pytest

from engine.abstraction.building import CardConfig, build_card_abstraction, equity_shares
from engine.abstraction.histograms import PUBLISHED_BINS
from engine.hands.isomorphism import CanonicalIndex
from tests.helpers.smoke_abstraction import SMOKE, made_up_bins


def test_smoke_abstraction_is_complete(smoke):
    """Every class on the flop has a bucket, every bucket has hands."""
    assert smoke.counts == (169, 10, 12, 14)
    assert set(np.unique(smoke.parts["flop_table"]).tolist()) == set(range(10))
    assert "turn_table" not in smoke.parts


def test_provenance_tells_how_it_was_made(smoke):
    """Settings and what k-means found are kept as plain values."""
    assert smoke.provenance["config"]["seed"] == SMOKE.seed
    assert smoke.provenance["config"]["k_means"]["restarts"] == 1
    assert set(smoke.provenance["found"]) == {"flop", "turn", "river"}
    assert all(found["inertia"] > 0 for found in smoke.provenance["found"].values())


def test_stages_are_reported_in_order(smoke, smoke_stages):
    """Each stage is announced by name and reaches 1."""
    names = list(dict.fromkeys(stage for stage, _ in smoke_stages))
    assert names == [
        "turn sample", "turn k-means",
        "flop sample", "flop k-means", "flop table",
        "river sample", "river k-means",
    ]  # fmt: skip
    assert dict(smoke_stages) == dict.fromkeys(names, 1.0)


def test_hands_are_in_the_bucket_of_the_nearest_centre(smoke):
    """Every class of the flop: what has more equity is in no lower bucket."""
    table = smoke.parts["flop_table"]
    of_bin = made_up_bins(np.arange(len(table)), PUBLISHED_BINS)
    seen = [np.unique(table[of_bin == number]) for number in range(PUBLISHED_BINS)]
    assert {len(buckets) for buckets in seen} == {1}
    assert (np.diff(np.concatenate(seen).astype(int)) >= 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("flop_by", ["potential", "equity"])
def test_full_build_is_reproducible(rivers, flop_by):
    """Twice the same config, with one thread or two, gives the same buckets; more than a few."""
    config = CardConfig(200, 100, 100, flop_by, "equity", sample=20_000, potential_rounds=3)
    first, second = (
        build_card_abstraction(config, rivers=rivers, threads=threads) for threads in (1, 2)
    )
    assert first.counts[:3] == (169, 200, 100)
    assert first.counts[3] <= 100
    for name, part in first.parts.items():
        assert (part == second.parts[name]).all(), name
    weights = CanonicalIndex((2, 3)).deals(np.arange(1_286_792)).astype(float)
    held = np.bincount(first.parts["flop_table"], weights=weights, minlength=200)
    assert (held > 0).all()


def test_shares_are_as_many_as_asked_for_or_fewer(rivers):
    """Numbers of buckets follow each other without a gap."""
    for buckets in (1, 7, 3000):
        shares = equity_shares(rivers, buckets)
        assert shares.shape == (1981,)
        assert set(np.diff(shares.astype(int)).tolist()) <= {0, 1}
        assert shares[-1] + 1 <= buckets


@pytest.mark.parametrize(
    "wrong",
    [
        {"flop": 0}, {"turn": 70_000, "sample": 100_000}, {"river": 2000, "sample": 1000},
        {"sample": 2_000_000}, {"bins": 1}, {"bins": 1982}, {"bins": 70_000}, {"bins": 49.5},
        {"flop": 10.5}, {"sample": 1e5}, {"seed": -1}, {"flop_by": "magic"}, {"river_by": "magic"},
        {"potential_rounds": 0},
    ],
)  # fmt: skip
def test_refuses_configs_that_cannot_be_built(wrong):
    """Numbers out of range and unknown kinds raise ValueError."""
    with pytest.raises(ValueError):
        CardConfig(**wrong)
