"""A match under way: bots that search compile nothing more, and live with too little memory."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, random, resource, sys
from itertools import islice
from numba.core.dispatcher import Dispatcher
from agents.roster.bots import find_agent
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.actions import CALL, raise_to
from protocol.gamedefs import load_builtin

game, compiled, decided = load_builtin("hunl"), [], []
bot = find_agent(sys.argv[1]).build({"iterations": 4})
bot.start_match(game, 5)
usual = Dispatcher.compile
def compile(kernel, signature):
    compiled.append(kernel.py_func.__name__)
    return usual(kernel, signature)
Dispatcher.compile = compile
generator = random.Random(3)

def opponent(state):
    legal = state.raise_range()
    if legal is None or generator.random() < 0.6:
        return CALL
    return raise_to(min(legal[1], generator.choice((1, 2, 3)) * legal[0]))

def play(first, hands):
    for number, deal in enumerate(islice(DealStream(game, 7), first, first + hands), first):
        state, seat = HandState.start(game), number % 2
        while not state.over:
            if state.actor != seat:
                state = state.apply(opponent(state))
                continue
            state = state.apply(bot.act(PlayerView.of(state, deal, seat, number)))
            decided.append(bot.notes().get("because", "search"))

play(0, 12)
roomy = decided[:]
decided.clear()
resource.setrlimit(resource.RLIMIT_AS, (1 << 20, resource.RLIM_INFINITY))  # no more than it has
play(12, 12)
print(json.dumps([compiled, roomy, decided]))
"""


@pytest.mark.parametrize("bot", ["libratus", "deepstack"])
def test_nothing_is_compiled_and_memory_may_be_short(bot):
    """Kernels that come late would cost time, or the process where memory is short."""
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, bot], capture_output=True, text=True, timeout=120
    )
    assert found.returncode == 0, found.stderr
    compiled, roomy, starved = json.loads(found.stdout)
    assert compiled == []
    assert roomy.count("search") > 5
    assert not {"no time", "no memory"} & set(roomy)
    assert len(starved) > 10
    assert bot == "deepstack" or "no memory" in starved  # its searches fit into what it has freed
