"""The recorded session of the original's benchmark server, said again to ours, byte for byte."""

import json
import re

from tests.helpers.acpc_line import serving_acpc

STRAY = "\0\0"
"""Two bytes too many at the end of the original's HELP, which ours does not send."""
BAD = "BAD RUNMATCHES COMMAND\n"
PORT = re.compile(r"(RUN \S+) [0-9]+")


def masked(text):
    """A text without the numbers of ports."""
    return PORT.sub(r"\1 PORT", text)


async def test_the_recorded_session_is_answered_alike(shared_data, tmp_path):
    """Logons, all commands, wrong ones, and the queue through four runs of three requests."""
    folder = shared_data / "golden" / "golden" / "bm"
    session = json.loads((folder / "session.json").read_text())
    clients = {}
    async with serving_acpc(tmp_path, house=()) as door:
        running = door.server.hub.state.running

        def played():
            """USER.TAG of what is played now."""
            return [
                door.server.hub.state.match_name(match.record, "0") for match in running.values()
            ]

        async def end_of_run():
            """Let what is played end, and what waits behind it begin."""
            for match in list(running):
                await door.end(match)
            await door.until(lambda: running or not door.server.store.waiting_requests())

        for (client, event, *details), answer in zip(session, [*session[1:], [""]], strict=True):
            if event == "connect":
                clients[client] = await door.connect()
            elif event == ">":
                clients[client].say(details[0])
                if details[0].startswith("RUNMATCHES") and answer[-1] != BAD:
                    await door.until(lambda: running)
            elif event == "EOF":
                clients[client].writer.write_eof()
            elif event == "silence":
                assert clients[client].silent()
                await end_of_run()
            else:
                wanted = details[0].removesuffix(STRAY)
                if wanted.startswith("# RUNNING") and wanted.split()[2] not in played():
                    await end_of_run()
                heard = await clients[client].hear(wanted.count("\n"))
                assert masked(heard) == masked(wanted)
        assert await clients["bad"].rest() == ""
        seeds = [door.server.store.match(number).seed for number in (1, 2, 3)]
        assert seeds == [3992670690, 777, 3823185381]
