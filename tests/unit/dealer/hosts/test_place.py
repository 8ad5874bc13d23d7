"""What torchrun says."""

import sys

import pytest

from dealer.errors import MatchError, MatchUsageError
from dealer.hosts.place import RankInfo, forget_torchrun, join, place_from
from tests.helpers.said import refused

TORCHRUN = {
    "RANK": "3",
    "WORLD_SIZE": "4",
    "LOCAL_RANK": "1",
    "LOCAL_WORLD_SIZE": "2",
    "MASTER_ADDR": "10.0.0.1",
    "MASTER_PORT": "29500",
    "TORCHELASTIC_USE_AGENT_STORE": "True",
    "TORCHELASTIC_RESTART_COUNT": "2",
}


def test_places_are_told_apart():
    """Who speaks with whom, who serves the store, which cores are whose; alone there are none."""
    assert place_from({}) is place_from(TORCHRUN | {"WORLD_SIZE": "1", "RANK": "0"}) is None
    place = place_from(TORCHRUN)
    assert place == RankInfo(3, 4, 1, 2, "10.0.0.1", 29500, False, "2")
    assert place.others == (0,)
    assert place.share_of((0, 1, 2, 3)) == (1, 3)
    assert place.share_of(()) == ()
    first = place_from(TORCHRUN | {"RANK": "0"})
    assert (first.others, first.serves) == ((1, 2, 3), False)
    assert place_from({**TORCHRUN, "RANK": "0", "TORCHELASTIC_USE_AGENT_STORE": "False"}).serves


@pytest.mark.parametrize("change", [{"RANK": "x"}, {"MASTER_PORT": None}, {"WORLD_SIZE": "many"}])
def test_half_of_what_torchrun_says_is_refused(change):
    """In one line."""
    told = {name: value for name, value in (TORCHRUN | change).items() if value is not None}
    with pytest.raises(MatchUsageError, match="WORLD_SIZE is set"):
        place_from(told)


def test_bots_do_not_believe_that_torchrun_means_them():
    """All else stays."""
    environment = TORCHRUN | {"PATH": "/bin", "OMP_NUM_THREADS": "1"}
    forget_torchrun(environment)
    assert environment == {"PATH": "/bin", "OMP_NUM_THREADS": "1"}


def test_without_pytorch_it_is_said_how_to_get_it(monkeypatch):
    """In one line."""
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "torch.distributed", raising=False)
    with refused(MatchError, "PyTorch", "not installed"):
        join(place_from(TORCHRUN))
