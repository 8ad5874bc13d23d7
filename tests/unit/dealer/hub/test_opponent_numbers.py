"""A tracker's numbers of an opponent: which hands count, and what is told of them."""

import asyncio
from dataclasses import replace

from dealer.hub.opponent_numbers import OpponentNumbers, count_opponent
from protocol.gamedefs import builtin_path
from tests.helpers.fake_server import serving

HANDS = """\
# name/game/hands/seed x hunl 3 1
STATE:0:r300f:AsKd|7c2h:-100|100:ann|rule
STATE:1:cc/cc/cc/r200c:AsKd|7c2h/3d4d5d/9s/Jh:200|-200:rule|ann
STATE:2:r300r900f:AsKd|7c2h:900"""
"""The last line is being written."""


def test_whole_hands_count_and_nothing_is_said_of_winnings(tmp_path):
    """Of one player, by the definitions of docs/tracker.md; a log may not be there yet."""
    log = tmp_path / "leg0.log"
    log.write_text(HANDS)
    logs = [str(log), str(tmp_path / "leg1.log")]
    numbers = count_opponent(logs, str(builtin_path("hunl")), "rule")
    assert numbers["hands"] == 2
    assert (numbers["vpip"]["count"], numbers["vpip"]["of"]) == (1, 2)
    assert numbers["pfr"]["count"] == 1
    assert numbers["streets"]["river"]["aggression_factor"]["raises"] == 1
    assert not {name for name in numbers if "showdown" in name and "with" in name}
    assert count_opponent(logs, str(builtin_path("hunl")), "bob") == {"hands": 0}


async def test_hands_of_all_versions_of_the_bot_that_asks_count(tmp_path):
    """Against this version of the opponent; what was counted last is told meanwhile."""
    asked, counted = [], asyncio.Event()

    async def count(work):
        asked.append(sorted(path[-17:] for path in work.args[0]))
        counted.set()
        return {"hands": 7}

    async with serving(tmp_path) as server:
        state = server.hub.state
        numbers = OpponentNumbers(state, count)
        server.ask(pairs=False)
        await server.until("seat")
        newer = server.hub.version_of(server.ann, "mine", "2", "bb")
        stranger = server.hub.version_of(server.ann, "stranger", "1", "cc")
        for match, version in enumerate((newer, stranger), 2):
            record = replace(state.store.match(1), id=0, first=version.id)
            assert state.store.begin_match(record, []).id == match
        opponent = {"bot": "rule", "version": state.house["rule"].label}
        assert numbers.of(newer, state.store.match(2)) == {**opponent, "hands": 0}
        await counted.wait()
        await asyncio.sleep(0)
        assert asked == [["00000001/leg0.log", "00000002/leg0.log"]]
        assert numbers.of(server.mine, state.store.match(1)) == {**opponent, "hands": 7}
        assert numbers.of(stranger, state.store.match(3)) == {**opponent, "hands": 0}
        assert len(asked) == 1
        numbers.close()
