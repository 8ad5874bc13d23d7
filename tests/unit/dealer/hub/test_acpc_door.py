"""The door of the benchmark server's clients, over real connections; hosts play nothing."""

import asyncio
import csv
import socket
from dataclasses import replace

import pytest

from dealer.hub.acpc_config import read_acpc_config
from dealer.hub.documents import match_document, owner_document, pair_document
from dealer.hub.errors import ServerError
from dealer.hub.exporting import export_all
from dealer.hub.reloading import next_config
from dealer.hub.server_config import Quotas, ServerLimits
from protocol.deals import DealsProof, format_proof
from tests.helpers.acpc_line import GAME, TEXT, serving_acpc, written
from tests.helpers.fake_server import CONFIG, MATCH, serving
from tests.helpers.hub_door import Door

ASK = f"RUNMATCHES {GAME}"
ONE_LINE = "neil test run 2pl ./bot.sh"


def port_of(run):
    """The port of a line RUN, which was announced before."""
    announced, line = run.splitlines()
    assert announced.startswith("# RUNNING ")
    word, host, port = line.split()
    assert (word, host) == ("RUN", "127.0.0.1")
    return int(port)


async def test_a_clients_bot_has_its_seat(tmp_path):
    """Whoever connects to the port sits down; the match has the client's seats and seed."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        run = await neil.ask(f"{ASK} 1 tag 7 testBot LOCAL", 2)
        assert run.startswith("# RUNNING neil.tag\n")
        with socket.create_connection(("127.0.0.1", port_of(run))):
            hosts = door.server.hosts
            await door.until(lambda: hosts.seated)
            ((leg, seat, connection, received),) = hosts.seated
            assert (leg, seat, received) == ("1.0", 1, b"")
            connection.close()
        plan, (program,) = hosts.plays["1.0"]["plan"], hosts.plays["1.0"]["house"]
        assert (plan["name"], plan["seed"], plan["hands"]) == ("neil.tag", 7, 20)
        assert [player["name"] for player in plan["seats"]] == ["testBot", "neil"]
        assert [player["token"] for player in plan["seats"]] == ["", ""]
        assert plan["limits"]["t_response"] == 10_000
        assert plan["limits"]["reconnect"] == 0
        assert (program["words"], program["arguments"]) == ((str(tmp_path / "bot.sh"),), ["0"])
        await door.end(1)
        assert await neil.ask("QSTAT") == "Queue empty\n"
        record = door.server.store.match(1)
        shown = match_document(door.server.hub.state, record)
        assert (shown["state"], shown["rated"], shown["seed"]) == ("finished", False, 7)
        assert (shown["commitment"], shown["secret"]) == (None, None)
        assert door.server.store.matches_asked_by("neil", "tag") == [record]


async def test_seed_zero_is_dealt_from_a_secret(tmp_path):
    """Nobody has chosen a seed, so none is to be found; each match has a secret of its own."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        neil.say(f"{ASK} 2 tag 0 otherBot testBot\n")
        proofs = []
        for number in (1, 2):
            await door.playing(number)
            plan = door.server.hosts.plays[f"{number}.0"]["plan"]
            proof = DealsProof(door.server.store.match(number).secret, "")
            assert plan["secret"] == {"key": proof.key.hex(), "commitment": proof.commitment}
            assert (plan["name"], plan["seed"]) == ("neil.tag", proof.number)
            await door.end(number)
            shown = match_document(door.server.hub.state, door.server.store.match(number))
            assert (shown["seed"], shown["secret"]) == (None, proof.secret.hex())
            assert (shown["commitment"], shown["rated"]) == (proof.commitment, False)
            proofs.append(proof)
        assert proofs[0] != proofs[1]
        pieces = (await Door(door.server)("logs/neil.tag.log", token="")).body
        lines = b"".join([piece async for piece in pieces]).decode().splitlines()
        assert lines[1::2] == list(map(format_proof, proofs))


async def test_bots_alone_play_for_an_account(tmp_path):
    """Bots of the house and of the config are told their numbers; the hands are the user's."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        neil.say(f"{ASK} 1 a 7 otherBot testBot\n{ASK} 1 b 7 rule rule\n")
        neil.close()
        await door.playing(1)
        house = door.server.hosts.plays["1.0"]["house"]
        assert [program["arguments"] for program in house] == [["0"], ["1"]]
        account = door.server.store.account("neil")
        shown = owner_document(door.server.hub.state, account)
        assert (shown["hands_today"], shown["matches_now"]) == (20, 1)
        await door.end(1)
        await door.playing(2)
        plan = door.server.hosts.plays["2.0"]["plan"]
        assert [player["name"] for player in plan["seats"]] == ["rule", "rule-2"]
        assert all(player["token"] for player in plan["seats"])
        await door.end(2)


async def test_a_client_that_brings_both_bots_is_told_two_ports(tmp_path):
    """In seat order, each with its announcement."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        text = await neil.ask(f"{ASK} 1 tag 7 LOCAL LOCAL", 4)
        lines = text.splitlines(keepends=True)
        ports = [port_of("".join(lines[:2])), port_of("".join(lines[2:]))]
        for number, port in enumerate(ports):
            with socket.create_connection(("127.0.0.1", port)):
                await door.until(lambda number=number: len(door.server.hosts.seated) > number)
        assert [seat for _, seat, _, _ in door.server.hosts.seated] == [0, 1]
        for *_, connection, _ in door.server.hosts.seated:
            connection.close()
        await door.end(1)


async def test_an_order_of_three_has_its_seats(tmp_path):
    """Names differ in the log; who loses a seat forfeits, and all of it is in the export."""
    text = f"{TEXT}game kuhn.limit.3p.game {{\nmatchHands 30\nbot third ./bot.sh\n}}\n"
    async with serving_acpc(tmp_path, text) as door:
        neil = await door.connect("neil test")
        neil.say("RUNMATCHES kuhn.limit.3p.game 1 t 7 third LOCAL third\n")
        run = await neil.hear(2)
        with socket.create_connection(("127.0.0.1", port_of(run))):
            await door.until(lambda: door.server.hosts.seated)
            ((leg, seat, connection, _),) = door.server.hosts.seated
            assert (leg, seat) == ("1.0", 1)
            connection.close()
        started = door.server.hosts.plays["1.0"]
        names = [player["name"] for player in started["plan"]["seats"]]
        assert names == ["third", "neil", "third-2"]
        assert [program["arguments"] for program in started["house"]] == [["0"], ["1"]]
        await door.end(1)
        state = door.server.hub.state
        record = door.server.store.match(1)
        shown = match_document(state, record)
        players = [shown[seat]["bot"] for seat in ("first", "second", "third")]
        assert (players, shown["rated"]) == (["third", "neil", "third"], False)
        assert door.server.store.matches_of([record.third]) == [record]
        assert pair_document(state, "neil", "third")["matches"] == []
        list(export_all(door.server.store, tmp_path, tmp_path / "out"))
        with (tmp_path / "out" / "results.csv").open() as file:
            (row,) = csv.DictReader(file)
        assert (row["second"], row["third"], row["hands"]) == ("neil", "third", "30")


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("a", "b", "c"), ("a", "b", "c")),
        (("a", "a", "a"), ("a", "a-2", "a-3")),
        (("a", "a", "a-2"), ("a", "a-2", "a-2-2")),
    ],
)
async def test_names_of_three_differ(tmp_path, names, labels):
    """Whatever bots are called."""
    async with serving(tmp_path) as server:
        versions = [server.store.version(None, name, "", "d", 1.0).id for name in names]
        first, second, third = versions
        record = replace(MATCH, first=first, second=second, third=third)
        assert server.hub.state.labels(record) == labels


async def test_one_line_ends_with_the_last_match(tmp_path):
    """Runs one after the other, and the connection is closed behind the last line."""
    async with serving_acpc(tmp_path) as door:
        client = await door.connect()
        for match in (1, 2):
            text = await (
                client.hear(2) if match == 2 else client.ask(f"{ONE_LINE} 2 t 9 local rule", 2)
            )
            assert port_of(text)
            await door.end(match)
        assert await client.rest() == "Matches finished\n"


async def test_a_large_request_holds_up_nobody(tmp_path):
    """What never fits is refused; what does not fit now waits, and others overtake it."""
    text = TEXT.replace("port 0", "port 0\nmaxRunningBots 1").replace("Jobs 1", "Jobs 0")
    async with serving_acpc(tmp_path, text) as door:
        neil, ann = await door.connect("neil test"), await door.connect("ann pw2")
        refusal = await neil.ask(f"{ASK} 1 big 7 testBot rule")
        assert refusal == "# neil.big: it needs more room than there is\n"
        assert await neil.ask(f"{ASK} 1 one 7 LOCAL testBot", 2)
        neil.say(f"{ASK} 1 two 7 LOCAL testBot\n")
        assert "ann.free" in await ann.ask(f"{ASK} 1 free 7 LOCAL LOCAL", 4)
        queue = await ann.ask("QSTAT", 3)
        states = dict(line.split()[1::4] for line in queue.splitlines())
        assert states == {"free": "R", "two": "Q", "one": "R"}
        await door.end(1)
        assert "neil.two" in await neil.hear(2)


async def test_who_has_gone_gets_no_further_match(tmp_path):
    """What is being played goes on; what waited for the client's own bot does not."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        await neil.ask(f"{ASK} 3 one 7 LOCAL testBot", 2)
        neil.say(f"{ASK} 1 two 7 LOCAL testBot\n")
        await door.until(door.server.store.waiting_requests)
        neil.close()
        await door.until(lambda: not door.server.store.waiting_requests())
        assert door.server.store.request(2).state == "withdrawn"
        await door.end(1)
        ann = await door.connect("ann pw2")
        assert await ann.ask("QSTAT") == "Queue empty\n"
        assert len(door.server.store.matches()) == 1


async def test_what_becomes_of_a_match_that_fails_is_said(tmp_path):
    """A bot that never comes forfeits; after too many its user is told why nothing is played."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        await neil.ask(f"{ASK} 3 t 7 LOCAL testBot", 2)
        for match in (1, 2):
            await door.end(match, "timeout", seat=0, detail="timed out waiting for seat 1")
            assert await neil.hear() == "# neil.t: timed out waiting for seat 1\n"
            if match == 1:
                await neil.hear(2)
        assert (await neil.hear()).startswith("# neil.t: neil plays nothing: 2 matches in a row")


async def test_a_leg_that_is_played_on_has_a_new_port(tmp_path):
    """The client is asked for its bot again."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        first = port_of(await neil.ask(f"{ASK} 1 t 7 LOCAL testBot", 2))
        door.server.hub.hear({"news": "lost", "leg": "1.0"})
        assert port_of(await neil.hear(2)) != first
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", first))


async def test_quotas_are_those_of_accounts(tmp_path):
    """Of a match and of a day: the line says which."""
    quotas = Quotas(hands_a_day=30, hands_a_match=20)
    async with serving_acpc(tmp_path, quotas=quotas) as door:
        neil = await door.connect("neil test")
        await neil.ask(f"{ASK} 2 t 7 LOCAL testBot", 2)
        await door.end(1, "interrupted", seat=0, detail="gone")
        await neil.hear()
    async with serving_acpc(tmp_path, quotas=replace(quotas, hands_a_day=10)) as door:
        neil = await door.connect("neil test")
        text = await neil.ask(f"{ASK} 1 t 7 LOCAL testBot")
        assert text == "# neil.t: neil may begin 10 more hands within 24 hours\n"
    async with serving_acpc(tmp_path, quotas=Quotas(hands_a_match=5)) as door:
        neil = await door.connect("neil test")
        text = await neil.ask(f"{ASK} 1 t 7 LOCAL testBot")
        assert text == "# neil.t: the account may play 5 hands a match\n"


async def test_nobody_asks_for_more_than_a_user_may(tmp_path):
    """A flood of requests ends in lines that say so."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        neil.say(f"{ASK} 1 t 7 LOCAL testBot\n" * 65)
        heard = await neil.hear(3)
        assert heard.count("# neil.t: 64 requests wait or are played already\n") == 1


async def test_wrong_passwords_are_not_tried_for_long(tmp_path):
    """After some in a row the right one does not help either; no password is logged."""
    async with serving_acpc(tmp_path) as door:
        for _ in range(5):
            client = await door.connect()
            client.say("neil secret\n")
            assert await client.rest() == "BAD LOGON\n"
        client = await door.connect()
        client.say("neil test\n")
        assert await client.rest() == "BAD LOGON\n"
        assert [event for event, _ in door.events] == ["acpc logon refused"] * 6
        assert "secret" not in str(door.events)


async def test_users_are_accounts(tmp_path):
    """Added where there were none, without a token; who is shut out is so here, too."""
    async with serving_acpc(tmp_path) as door:
        store = door.server.store
        assert [account.name for account in store.accounts()] == ["ann", "neil"]
        store.change_account("neil", revoked=1.0)
        client = await door.connect()
        client.say("neil test\n")
        assert await client.rest() == "BAD LOGON\n"
        neil = store.account("neil")
    async with serving_acpc(tmp_path) as door:
        assert door.server.store.account("neil") == neil


@pytest.mark.parametrize("shut", ["revoked", "removed"])
async def test_who_is_shut_out_gets_no_further_match(tmp_path, shut):
    """Also on a line on which the user has logged on before; the running match goes on."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        await neil.ask(f"{ASK} 2 t 7 LOCAL testBot", 2)
        if shut == "revoked":
            door.server.store.change_account("neil", revoked=1.0)
        else:
            text = TEXT.replace("user neil test\n", "")
            wanted = read_acpc_config(written(tmp_path, text), ["rule"])
            door.server.hub.configure(replace(door.server.hub.state.config, acpc=wanted))
        await door.end(1)
        assert await neil.hear() == "# neil.t: neil plays here no more\n"
        assert await neil.ask(f"{ASK} 1 u 7 testBot otherBot") == (
            "# neil.u: neil plays here no more\n"
        )


async def test_users_and_bots_change_while_the_server_runs(tmp_path):
    """A password, and a bot that has gone: what waits for it is refused, the port stays."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        await neil.ask(f"{ASK} 1 one 7 LOCAL LOCAL", 4)
        neil.say(f"{ASK} 1 two 7 LOCAL otherBot\n")
        await door.until(door.server.store.waiting_requests)
        hub = door.server.hub
        text = TEXT.replace("test\n", "changed\n").replace("bot otherBot", "# ")
        wanted = read_acpc_config(written(tmp_path, text.replace("port 0", "port 5")), ["rule"])
        config, waiting = next_config(hub.state.config, replace(hub.state.config, acpc=wanted))
        assert (waiting, config.acpc.port) == (["acpc"], 0)
        hub.configure(config)
        assert await neil.hear() == "# neil.two: otherBot is no bot of the house any more\n"
        assert await neil.ask("QSTAT") == f"neil one {GAME} * 0 R\n"
        again = await door.connect("neil changed")
        assert await again.ask(f"{ASK} 1 t 7 LOCAL otherBot") == "BAD RUNMATCHES COMMAND\n"


async def test_a_user_is_not_called_as_somebody_elses_bot(tmp_path):
    """That is said at the start; and in a line, where it comes up later."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        door.server.hub.version_of(door.server.ann, "Neil", "1", "")
        text = await neil.ask(f"{ASK} 1 t 7 LOCAL testBot")
        assert text == "# neil.t: neil is somebody else's bot\n"
        acpc = door.server.hub.state.config.acpc
    with pytest.raises(ServerError, match="user neil: somebody else's bot is called so"):
        async with serving(tmp_path, config=replace(CONFIG, acpc=acpc)):
            pass


async def test_a_match_ends_with_the_server(tmp_path):
    """The client's bot is gone by then: it is no result, and nothing waits any more."""
    async with serving_acpc(tmp_path) as door:
        neil = await door.connect("neil test")
        await neil.ask(f"{ASK} 2 t 7 LOCAL testBot", 2)
        neil.say(f"{ASK} 1 later 7 LOCAL testBot\n")
        await door.until(door.server.store.waiting_requests)
    assert await neil.rest() == ""
    async with serving_acpc(tmp_path) as door:
        assert door.server.hosts.plays == {}
        record = door.server.store.match(1)
        assert (record.state, record.culprit) == ("void", None)
        assert "the server stopped" in record.detail
        assert door.server.store.waiting_requests() == []


async def test_connections_have_limits(tmp_path):
    """Of one address, and of all; and who says nothing for long is dropped."""
    limits = ServerLimits(address_connections=2)
    async with serving_acpc(tmp_path, limits=limits) as door:
        clients = [await door.connect() for _ in range(3)]
        assert await clients[2].rest() == ""
        assert await clients[1].ask("neil test") == "LOGON OKAY - type help for commands\n"


async def test_a_client_that_comes_soon_again_is_heard_later(tmp_path):
    """Not turned away: clients of this protocol take a lost line for the end."""
    async with serving_acpc(tmp_path, limits=ServerLimits(address_rate=2)) as door:
        for _ in range(12):  # more than may come at once
            client = await door.connect()
            assert await client.ask("neil test") == "LOGON OKAY - type help for commands\n"


async def test_a_client_that_says_nothing_is_dropped(tmp_path, monkeypatch):
    """Before its logon soon; afterwards while nothing is played for it."""
    async with serving_acpc(tmp_path) as door:
        with monkeypatch.context() as patched:
            patched.setattr("dealer.hub.acpc_door._LOGON_SECONDS", 0.05)
            silent = await door.connect()
            assert await silent.rest() == ""
            slow = await door.connect()
            async with asyncio.timeout(20):
                while not (slow.reader.at_eof() or slow.reader.exception()):  # an endless line
                    slow.say("x")
                    await asyncio.sleep(0.01)
        monkeypatch.setattr("dealer.hub.acpc_door._IDLE_SECONDS", 0.05)
        neil = await door.connect()
        neil.say(f"neil test\n{ASK} 1 t 7 LOCAL testBot\n")
        assert port_of("".join((await neil.hear(3)).splitlines(keepends=True)[1:]))
        await asyncio.sleep(0.2)
        await door.end(1)
        assert await neil.rest() == ""
