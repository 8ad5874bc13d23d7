"""A config that is read again: what changes, what waits for a start, and what a fault leaves."""

import asyncio
from dataclasses import replace

import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.hub.errors import ServerError
from dealer.hub.reloading import ConfigReloader, changed_settings, next_config
from dealer.hub.server_config import (
    OfferedBot,
    Quotas,
    ServerConfig,
    ServerLimits,
    SlumbotTable,
    Spectators,
    TlsFiles,
)
from dealer.hub.store import CONFIG_FAULT, CONFIG_READ
from dealer.hub.watched_match import WatchedMatch
from tests.helpers.fake_server import CONFIG, HOUSE, end_of, serving

CALLER = OfferedBot(Participant("caller", BotKind.SHIPPED, ("always-call",)), at_once=2)


def test_what_a_running_server_can_change():
    """Limits, quotas, house, games, spectators; where it listens and how many it serves stays."""
    wanted = ServerConfig(
        listen="0.0.0.0",
        port=1,
        games=("kuhn",),
        tls=TlsFiles("a", "b"),
        limits=ServerLimits(matches=3, processes=7, connections=5),
        quotas=Quotas(hands_a_day=9),
        spectators=Spectators("nobody"),
        house=(CALLER,),
    )
    config, waiting = next_config(CONFIG, wanted)
    assert waiting == ["listen", "port", "tls", "processes", "connections"]
    assert (config.listen, config.port, config.tls) == (CONFIG.listen, CONFIG.port, None)
    assert config.limits == replace(wanted.limits, processes=0, connections=2000)
    assert (config.games, config.quotas, config.house) == (("kuhn",), wanted.quotas, (CALLER,))
    changed = ["games", "quotas", "spectators", "house", "matches", "aivat_seconds", "forfeits"]
    assert changed_settings(CONFIG, config) == changed
    assert changed_settings(config, config) == []


def test_the_door_for_clients_of_slumbot_is_opened_and_closed_by_a_start():
    """What is in its table changes at once."""
    opened, changed = (replace(CONFIG, slumbot=SlumbotTable("rule", hands=n)) for n in (2, 4))
    assert next_config(CONFIG, opened) == (CONFIG, ["slumbot"])
    assert next_config(opened, CONFIG) == (opened, ["slumbot"])
    assert next_config(opened, changed) == (changed, [])


def test_other_files_of_tls_are_taken():
    """A certificate is renewed without a stop, also from another file."""
    running = replace(CONFIG, tls=TlsFiles("a", "b"))
    wanted = replace(CONFIG, tls=TlsFiles("c", "d"))
    assert next_config(running, wanted) == (wanted, [])


class Reloads:
    """Reads configs that the test gives, and remembers what it says."""

    def __init__(self, server):
        self.server = server
        self.wanted = CONFIG
        self.logged = []
        self.renewed = 0
        self.asked = asyncio.Event()
        self.reloader = ConfigReloader(server.hub, self._read, self._tls, self._log, self.asked)

    def _log(self, event, **_facts):
        self.logged.append(event)

    def _read(self):
        if isinstance(self.wanted, Exception):
            raise self.wanted
        return self.wanted

    def _tls(self, _config):
        def renew():
            self.renewed += 1

        return renew

    async def read(self, wanted):
        """Have a config read."""
        self.wanted, before = wanted, len(self.logged)
        running = asyncio.create_task(self.reloader.run())
        self.asked.set()
        async with asyncio.timeout(20):
            while len(self.logged) == before:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        running.cancel()
        return self.logged[-1]


async def test_a_running_match_is_not_disturbed(tmp_path):
    """Its house bot, which is offered no more, plays on as it was, also with another host."""
    async with serving(tmp_path) as server:
        reloads = Reloads(server)
        server.ask(pairs=False)
        await server.until("seat")
        assert await reloads.read(replace(CONFIG, house=(CALLER,))) == "config read"
        assert list(server.hub.state.house) == ["caller"]
        server.hosts.plays.clear()
        server.hub.hear({"news": "lost", "leg": "1.0"})
        assert server.hosts.plays["1.0"]["house"][0]["words"] == ("rule",)
        server.hub.hear(end_of("1.0"))
        await server.until("ended")
        assert server.store.match(1).state == "finished"
        server.ask(opponent="caller", pairs=False)
        await server.until("seat")
        assert server.store.match(2).second == server.hub.state.house["caller"].id


async def test_what_nobody_can_play_any_more_is_refused(tmp_path):
    """Requests for a game or a house bot that has gone; also after a start."""
    async with serving(tmp_path, config=replace(CONFIG, limits=ServerLimits(matches=0))) as server:
        reloads = Reloads(server)
        game, bot, stays = server.ask(game="hulhe"), server.ask(), server.ask(opponent="guest")
        await reloads.read(
            replace(reloads.server.hub.state.config, house=(CALLER,), games=("hunl",))
        )
        assert '"refused"' in await server.until("request")
        assert "hulhe is not played here" in server.store.request(game.id).reason
        assert "rule is no bot of the house" in server.store.request(bot.id).reason
        assert server.store.request(stays.id).state == "waiting"
        late = server.ask(opponent="caller")
    async with serving(tmp_path, config=CONFIG) as server:
        assert server.store.request(late.id).state == "refused"
        assert server.store.request(stays.id).state == "waiting"


@pytest.mark.parametrize(
    "wanted",
    [
        ServerError("server.toml: prot is no key"),
        OSError("the disk is gone"),
        replace(CONFIG, house=(replace(HOUSE, bot=replace(HOUSE.bot, label="mine")),)),
    ],
)
async def test_a_fault_leaves_everything_as_it_was(tmp_path, capsys, wanted):
    """One line says what is wrong, and a note does until the next config without one."""
    async with serving(tmp_path) as server:
        reloads = Reloads(server)
        before = server.hub.state.config, dict(server.hub.state.house)
        assert await reloads.read(wanted) == "config refused"
        assert (server.hub.state.config, server.hub.state.house) == before
        assert reloads.renewed == 0
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert said.startswith("The config stays as it was: ")
        assert server.store.noted(CONFIG_FAULT)[1] in said
        assert await reloads.read(CONFIG) == "config read"
        assert reloads.renewed == 1
        assert server.store.noted(CONFIG_FAULT) is None
        assert server.store.noted(CONFIG_READ)[0] > 0


async def test_who_may_watch_no_more_is_told_so(tmp_path):
    """Streams of spectators end when the host changes what they may see."""
    async with serving(tmp_path) as server:
        reloads = Reloads(server)
        server.ask(pairs=False)
        await server.until("seat")
        state = server.hub.state
        logs = state.leg_logs(server.store.match(1))
        watched = state.watched[1] = WatchedMatch(logs, bytes, 0, 0.01)
        events = watched.join(0, 0)
        assert b"event: hand" in await anext(events)
        await reloads.read(replace(CONFIG, spectators=Spectators("nobody")))
        assert state.watched == {}
        async with asyncio.timeout(20):
            assert b"event: end" in await anext(events)
        await events.aclose()
        watched.leave()
