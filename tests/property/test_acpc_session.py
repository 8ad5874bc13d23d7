"""The benchmark server's line protocol under any bytes, however they are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.hub.acpc_config import read_acpc_config
from dealer.hub.acpc_session import MOST_LINE_BYTES, AcpcSession, LoggedOn, MatchesAsked
from tests.helpers.acpc_line import GAME, written
from tests.helpers.http_bytes import cuts

WORDS = (
    *("neil", "test", "HELP", "games", "qstat", "RUNMATCHES", "run", "rerun", "2pl", "3pl"),
    *(GAME, "0", "1", "3", "-1", "99999999999", "tag", "a/b", "LOCAL", "local", "testBot", "\0"),
)
LINES = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=11).map(lambda words: " ".join(words).encode()),
    st.binary(max_size=60),
    st.just(b"neil test"),
    st.just(b"x" * MOST_LINE_BYTES),
)


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    """Users, a game and its bots."""
    return read_acpc_config(written(tmp_path_factory.mktemp("acpc")))


def events_of(config, pieces):
    """What a session makes of the pieces of a stream, and whether it is over."""
    session = AcpcSession(config, {}, lambda name, password: config.users.get(name) == password)
    events = []
    for piece in pieces:
        assert not (session.over and session.receive(piece))
        events += session.receive(piece)
    return events, session.over


@given(st.data(), st.lists(LINES, max_size=8), st.booleans())
def test_any_bytes_are_read_alike_however_they_are_cut(config, data, lines, logged_on):
    """Nothing is raised; nobody who has not logged on is answered with more than a refusal."""
    stream = b"".join(line + b"\n" for line in [b"neil test"] * logged_on + lines)
    events, over = events_of(config, [stream])
    assert events_of(config, data.draw(cuts(stream))) == (events, over)
    if events and not isinstance(events[0], LoggedOn):
        assert events == [(b"BAD LOGON\n",)]
        assert over
    for event in events:
        if isinstance(event, MatchesAsked):
            order = event.order
            assert len(order.players) == order.game.definition.players
            assert len(list(order.seeds(1))) == order.runs <= order.game.most_runs
