"""The process in which results are counted."""

import signal
from functools import partial

from dealer.hub.match_results import CountingProcess


def test_the_process_never_hears_of_ctrl_c():
    """A terminal sends it to all processes, and what is counted by then is still to be stored."""
    with CountingProcess() as counting:
        blocked = counting.submit(partial(signal.pthread_sigmask, signal.SIG_BLOCK, ())).result()
    assert signal.SIGINT in blocked
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
