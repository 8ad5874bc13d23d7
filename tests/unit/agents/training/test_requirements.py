"""What is said where PyTorch is not installed."""

import sys

import pytest

from agents.errors import TorchMissing
from agents.training.peers import with_peers
from agents.training.requirements import need_torch


@pytest.fixture
def no_torch(monkeypatch):
    """Importing torch fails as if it were not installed."""
    monkeypatch.setitem(sys.modules, "torch", None)


def test_the_message_says_who_needs_it_and_how_to_get_it(no_torch):
    """In one line; the exit code is that of what cannot be done here, not of wrong arguments."""
    with pytest.raises(TorchMissing) as missing:
        need_torch("ann")
    assert str(missing.value) == (
        "ann needs PyTorch, which is not installed: make setup, or "
        "pip install -c constraints.txt -e '.[train]'"
    )
    assert missing.value.exit_code == 1


def test_a_run_of_several_processes_needs_it(no_torch):
    """It says so before it waits for the others."""
    with pytest.raises(TorchMissing, match="a run of several processes"), with_peers():
        pass


def test_a_torch_that_cannot_be_loaded_is_another_matter(monkeypatch, tmp_path):
    """What is missing then is told as it is."""
    (tmp_path / "torch.py").write_text("import what_torch_needs\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(ModuleNotFoundError, match="what_torch_needs"):
        need_torch("ann")
