"""Both ends joined in memory play whole conversations."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.agent_end import AgentEnd
from protocol.dealer_end import DealerEnd
from protocol.events import CommentLine, EndOfStream, OtherLine, Reply, StateReceived, VersionLine
from protocol.matchstate import MatchState, format_match_state

states = st.builds(
    MatchState,
    st.integers(0, 9),
    st.integers(0, 2**32 - 1),
    st.sampled_from(["", "c", "cc/", "r300c/c", "r20000c///"]),
    st.sampled_from(["|", "TdAs|", "|2hAc/5sKs7s", "7d3d|2hAc/5sKs7s/2d/2c"]),
)
actions = st.one_of(st.sampled_from([FOLD, CALL, RAISE]), st.integers(1, 2**31 - 1).map(raise_to))
# What the dealer does in one step: show a state only, or ask; and what the agent sends before
# its answer.
steps = st.lists(
    st.tuples(
        states,
        st.none() | actions,
        st.lists(st.sampled_from([b"# hm\r\n", b"junk\n", b";\0\n"]), max_size=2),
    ),
    max_size=8,
)


def pump(data, size, receive):
    """Deliver bytes in small packets."""
    got = []
    for at in range(0, len(data), size):
        got += receive(data[at : at + size]) or []
    return got


@given(steps, st.integers(1, 50))
def test_two_ends_understand_each_other(script, packet):
    """Every state arrives as it was, every action too, noise does not get in between."""
    dealer, agent = DealerEnd(), AgentEnd()
    pump(agent.start(), packet, dealer.receive)
    assert isinstance(dealer.next_event(), VersionLine)
    for state, action, noise in script:
        text = format_match_state(state)
        message = dealer.tell(text) if action is None else dealer.ask(text)
        (event,) = pump(message, packet, agent.receive)
        assert event == StateReceived(message, state, text)
        if action is None:
            continue
        pump(b"".join(noise) + agent.reply(event.text, action), packet, dealer.receive)
        for line in noise:
            heard = dealer.next_event()
            assert isinstance(heard, OtherLine if line == b"junk\n" else CommentLine)
            assert heard.raw == line
        reply = dealer.next_event()
        assert isinstance(reply, Reply)
        assert reply.action == action.text.encode() + b"\r\n"
        dealer.answered()
        assert dealer.next_event() is None
        assert dealer.pending == 0
    assert agent.eof() == [EndOfStream()]
    dealer.eof()
    dealer.ask(b"MATCHSTATE:0:0::|")
    assert dealer.next_event() == EndOfStream()


@given(st.lists(st.tuples(states, actions), max_size=8), st.integers(1, 100))
def test_an_agent_that_knows_the_future_may_answer_ahead(script, packet):
    """The whole match sent at once is used up question by question."""
    dealer, agent = DealerEnd(), AgentEnd()
    data = agent.start() + b"".join(
        agent.reply(format_match_state(state), action) for state, action in script
    )
    pump(data, packet, dealer.receive)
    dealer.eof()
    assert isinstance(dealer.next_event(), VersionLine)
    for state, action in script:
        assert dealer.next_event() is None
        dealer.ask(format_match_state(state))
        reply = dealer.next_event()
        assert isinstance(reply, Reply)
        assert reply.action == action.text.encode() + b"\r\n"
        dealer.answered()
    dealer.ask(b"MATCHSTATE:0:0::|")
    assert dealer.next_event() == EndOfStream()
