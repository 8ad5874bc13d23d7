"""Answers of random programs on standard streams: none acts in another decision than its own."""

import json
from math import inf

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agents.bridges import program_replies, stdio_bot
from agents.bridges.stdio_bot import StdioBot
from agents.errors import ProgramFailed
from engine.play.budget import TimeBudget
from engine.rules.view_reader import ViewReader
from protocol.actions import FOLD
from protocol.gamedefs import load_builtin
from protocol.matchstate import parse_match_state

VIEW = ViewReader(load_builtin("hunl")).view(parse_match_state(b"MATCHSTATE:1:0::|8s2h"))
LEAST = 200
"""What the smallest raise is to; that of decision N is N chips more."""
GAPS = st.floats(0.0, 3.9)
"""Seconds between two lines of who is not quiet yet."""
REMARKS = st.sampled_from(["let me think", "", "{", '{"thought": "fold?"}', "```", "call or fold?"])
PAUSES = st.lists(st.floats(0.0, 10.0), min_size=1, max_size=12)


class Clock:
    """Time that passes only where somebody waits."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        """Return the seconds."""
        return self.now


class Program:
    """Writes what its answers to each question say, and when, in the time of a clock."""

    def __init__(self, clock, reply, *, reads_ahead):
        self.clock, self.reply, self.reads_ahead = clock, reply, reads_ahead
        self.written = []
        self.free = 0.0
        self.heard = 0.0

    def send(self, line):
        """Take a line; questions are answered one after the other, or all at once."""
        told = json.loads(line)
        if told["type"] != "decision":
            return
        when = self.clock.now if self.reads_ahead else max(self.clock.now, self.free)
        for gap, text in self.reply(told["id"]):
            when += gap
            self.written.append((when, f"{text}\n".encode()))
        self.free = when

    def lines(self, seconds, quiet=inf):
        """Wait for lines."""
        end = min(self.clock.now + seconds, max(self.heard + quiet, self.clock.now))
        first = min((when for when, _ in self.written), default=inf)
        if first > end:
            if end == inf:
                raise ProgramFailed("it is silent for good")
            self.clock.now = end
            return b""
        self.clock.now = max(self.clock.now, first)
        return self.unasked()

    def unasked(self):
        """Return what has been written."""
        ready = sorted(one for one in self.written if one[0] <= self.clock.now)
        self.written = [one for one in self.written if one[0] > self.clock.now]
        self.heard = ready[-1][0] if ready else self.heard
        return b"".join(text for _, text in ready)

    def unfinished(self):
        """Return nothing: it writes whole lines."""
        return ""


def played(reply, pauses, *, reads_ahead, seconds=inf):
    """Return the action in each decision, until the program fails.

    `reply` returns what a program writes to a decision: seconds after the line before, and text.
    """
    clock = Clock()
    bot = StdioBot("program")
    bot._game = "{}"
    bot._running = Program(clock, reply, reads_ahead=reads_ahead)
    actions = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stdio_bot, "time", clock)
        patch.setattr(program_replies, "tell", lambda text: None)
        for pause in pauses:
            clock.now += pause
            try:
                actions.append(bot.act(VIEW, TimeBudget(seconds)))
            except ProgramFailed:
                break
    return actions


def assert_own(actions):
    """Check that each action is that of its decision, or a fold."""
    for number, action in enumerate(actions, 1):
        assert action == FOLD or action.raise_to == LEAST + number


@given(st.data(), PAUSES, st.booleans(), st.sampled_from([inf, 30.0, 1.0]))
def test_an_answer_that_names_its_decision_acts_in_no_other(data, pauses, ahead, seconds):
    """Whatever else there is: remarks, nothing, answers again, late, out of order."""
    named = []

    def reply(decision):
        named.append(f'{{"action":"raise","to":"{LEAST + decision}","id":{decision}}}')
        line = st.tuples(st.floats(0.0, 60.0), REMARKS | st.sampled_from(list(named)))
        return data.draw(st.lists(line, max_size=4))

    assert_own(played(reply, pauses, reads_ahead=ahead, seconds=seconds))


@given(st.data(), PAUSES, st.booleans())
def test_answers_in_order_act_where_they_belong(data, pauses, ahead):
    """One at most to a question, right or wrong, among remarks, without long breaks."""

    def reply(decision):
        answer = data.draw(st.sampled_from([[f"raise {LEAST + decision}"], ["raise 7"], []]))
        texts = [*data.draw(st.lists(REMARKS, max_size=3)), *answer]
        return [(data.draw(GAPS), text) for text in texts]

    assert_own(played(reply, pauses, reads_ahead=ahead))


@given(st.floats(0.0, 100.0), PAUSES)
@example(5.0, [0.0, 0.0])
def test_a_program_that_thinks_long_after_a_remark_is_waited_for(seconds, pauses):
    """It is asked again, and what it answers the second time is dropped."""

    def reply(decision):
        return [(0.0, "let me think"), (seconds, f"raise {LEAST + decision}")]

    actions = played(reply, pauses, reads_ahead=False)
    assert [action.raise_to - LEAST for action in actions] == [*range(1, len(pauses) + 1)]


@pytest.mark.parametrize(
    "answer", ["banana", '{"action":"call","id":-%d}', '{"action":"call","id":"hand %d"}']
)
def test_a_program_that_never_answers_its_question_holds_nobody_up(answer):
    """It costs some seconds in all, however long the match; `id`s may be those of no question."""
    _assert_cheap(lambda decision: answer % decision if "%" in answer else answer)


def test_a_program_that_is_one_decision_behind_holds_nobody_up():
    """By the `id` that it names."""
    _assert_cheap(lambda decision: f'{{"action":"call","id":{decision - 1}}}')


def _assert_cheap(answer):
    clock = Clock()
    bot = StdioBot("program")
    bot._game = "{}"
    bot._running = Program(clock, lambda number: [(0.0, answer(number))], reads_ahead=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stdio_bot, "time", clock)
        patch.setattr(program_replies, "tell", lambda text: None)
        assert {bot.act(VIEW) for _ in range(1000)} == {FOLD}
    assert clock.now < 20
