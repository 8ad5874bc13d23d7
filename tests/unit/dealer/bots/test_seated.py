"""What a bot that is started is told, and what a shipped one says before that."""

import asyncio
from pathlib import Path

import pytest

from dealer.bots.participants import PAGE_VARIABLE, BotKind, Participant
from dealer.bots.programs import OutputFile, SeatLine, bot_program
from dealer.plan.match_plan import MatchLimits
from engine.parallel.own_programs import own_program


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        (Participant("you", BotKind.COMMAND, (*own_program("person's seat"), "{game}")), True),
        (Participant("x", BotKind.COMMAND, ("./x",)), False),
        (Participant("rule", BotKind.SHIPPED, ("rule",)), False),
    ],
)
def test_the_page_of_a_person_is_told_to_its_own_program_alone(monkeypatch, tmp_path, bot, told):
    """Other bots of the match could read the token, and play for the person."""
    monkeypatch.setenv(PAGE_VARIABLE, "1/token/blueprint")
    monkeypatch.setenv("ELSE", "1")
    files = [OutputFile(tmp_path / name) for name in ("out", "err")]
    program = bot_program(
        bot,
        game=Path("x.game"),
        seed=1,
        token="",
        mark="m",
        limits=MatchLimits(),
        output=files[0],
        errors=files[1],
    )
    assert (PAGE_VARIABLE in program.environment) == told
    assert program.environment["ELSE"] == "1"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([b"ready\n"], 0),
        ([b"compiling\n", b"ready\n"], 1),
        ([b"compi", b"ling\nrea", b"dy\n"], 1),
        ([b"compiling\nready\n"], 1),
        ([b"compiling\n", b""], 1),
        ([b""], 0),
    ],
)
async def test_a_shipped_bot_says_that_it_compiles_and_is_ready(said, told):
    """However its words are cut; one that ends is waited for no longer, and then told nothing."""
    line, heard = SeatLine(), []
    with line.bots_end as bot:
        waiting = asyncio.create_task(line.until_ready(lambda: heard.append(line.waiting)))
        for words in said:
            await asyncio.sleep(0)
            if words:
                bot.send(words)
            else:
                bot.close()
        await waiting
        assert (heard, line.waiting, line.compiling) == ([True] * told, False, told > 0)
        line.sit_down(("127.0.0.1", 4000))
        if bot.fileno() >= 0:
            assert bot.recv(100) == b"127.0.0.1 4000\n"
    line.close()


async def test_a_shipped_bot_that_never_gets_ready_is_not_waited_for_without_end(monkeypatch):
    """The dealer's own limit then ends the leg."""
    monkeypatch.setattr("dealer.bots.programs.BOT_READY_SECONDS", 0.0)
    line = SeatLine()
    with line.bots_end:
        await line.until_ready(lambda: None)
    assert not line.waiting
    line.close()
