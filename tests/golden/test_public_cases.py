"""Published lines in dialects other than the original dealer's."""

from dealer.logs.verifying.verify import VerifySettings, verify_log


def test_stacks_and_blinds_in_each_line(shared_data):
    """A hand of a freeze-out with its own chips, of a game that no header names."""
    report = verify_log(shared_data / "public_cases/freezeout_stacks_blinds.log", VerifySettings())
    assert (report.hands, report.all_is_well) == (1, True)
