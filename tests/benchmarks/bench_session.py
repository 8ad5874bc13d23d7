"""What a message costs a bot that does nothing, beside reading each afresh."""

import time

from agents.baselines.always_call import AlwaysCall
from agents.session import Session
from engine.rules.view_reader import view_from_match_state
from protocol.gamedefs import load_builtin
from protocol.matchstate import format_match_state, parse_match_state
from tests.helpers.random_messages import random_messages

GAME = load_builtin("hunl")
HANDS = 300


def bench_message_of_a_bot_that_does_nothing(benchmark):
    """No-limit, against somebody who does anything; always in position 0."""
    said = [message for *_, message in random_messages(GAME, HANDS, 1, caller=0)]
    said = [message for message in said if message.viewer == 0]
    lines = [format_match_state(message) for message in said]

    def listen() -> None:
        session = Session(AlwaysCall(), GAME)
        session.connected()
        for line in lines:
            session.receive(line + b"\r\n")

    def read_afresh() -> float:
        start = time.perf_counter()
        for line in lines:
            view_from_match_state(GAME, parse_match_state(line))
        return time.perf_counter() - start

    afresh = min(read_afresh() for _ in range(10))
    benchmark.pedantic(listen, rounds=50, warmup_rounds=1)
    seconds = benchmark.stats.stats.min if benchmark.enabled else 1.0
    benchmark.extra_info["us_per_message"] = seconds / len(lines) * 1e6
    benchmark.extra_info["ratio_to_reading_afresh"] = afresh / seconds
