"""What a bot that is started is told."""

from pathlib import Path

import pytest

from dealer.bots.output_file import OutputFile
from dealer.bots.participants import (
    PAGE_VARIABLE,
    PERSON_PROGRAM,
    BotKind,
    Participant,
)
from dealer.bots.seated import bot_program
from engine.parallel.own_programs import own_program


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        (Participant("you", BotKind.COMMAND, (*own_program(PERSON_PROGRAM), "{game}")), True),
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
        ("127.0.0.1", 1),
        game=Path("x.game"),
        seed=1,
        token="",
        mark="m",
        dealer_options={},
        output=files[0],
        errors=files[1],
    )
    assert (PAGE_VARIABLE in program.environment) == told
    assert program.environment["ELSE"] == "1"
