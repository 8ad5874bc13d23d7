"""The program that tells strategies: started, asked, ended and started again; a real process."""

import asyncio
import json
import sys

import pytest

from dealer.web import strategy_teller
from dealer.web.http_requests import Refusal
from dealer.web.strategy_teller import StrategyTeller, asked_line, checking, shown_name
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LINE = "STATE:3:r200c/r400:|/9c8c2d:0|0:0|1"
MIMIC = """
import sys, time
for line in sys.stdin:
    if "die" in line:
        break
    if "stay" in line:
        time.sleep(600)
    print(line.strip(), flush=True)
"""


@pytest.fixture
def mimic(monkeypatch):
    """A program that repeats what it is told, ends at "die", and keeps an answer to "stay"."""
    words = (sys.executable, "-c", MIMIC)
    monkeypatch.setattr(strategy_teller, "_PROGRAM", words)


async def test_the_program_is_asked_as_often_as_is_wanted():
    """And tells what is wrong as an answer, too."""
    teller = StrategyTeller("script:C")
    answers = [json.loads(await teller.tell(HUNL, line)) for line in (LINE, "x", LINE)]
    assert [decision["actions"] for decision in answers[0]["decisions"]] == [["c"]] * 4
    assert "error" in answers[1]
    assert answers[2] == answers[0]
    await teller.close()


async def test_one_line_is_asked_at_a_time(mimic):
    """Each asker has its own answer."""
    teller = StrategyTeller("x")
    lines = [str(number) for number in range(20)]
    answers = await asyncio.gather(*(teller.tell(HUNL, line) for line in lines))
    assert answers == [f"{line}\n".encode() for line in lines]
    await teller.close()


async def test_who_has_gone_is_not_asked_for(mimic):
    """When its turn comes: who waits behind need not wait for its answer."""
    teller = StrategyTeller("x", seconds=60.0)
    gone = []
    first = asyncio.create_task(teller.tell(HUNL, "1"))
    second = asyncio.create_task(teller.tell(HUNL, "stay", lambda: bool(gone)))
    third = asyncio.create_task(teller.tell(HUNL, "3"))
    await asyncio.sleep(0)
    gone.append(True)
    assert (await first, await third) == (b"1\n", b"3\n")
    with pytest.raises(Refusal):
        await second
    await teller.close()


@pytest.mark.parametrize(("line", "status"), [("die", 502), ("stay", 504)])
async def test_after_a_program_that_does_not_answer_there_is_another(mimic, line, status):
    """Whether it has died or takes too long; no late answer is taken for the next one."""
    teller = StrategyTeller("x", seconds=0.5 if status == 504 else 60.0)
    with pytest.raises(Refusal) as refusal:
        await teller.tell(HUNL, line)
    assert refusal.value.status == status
    teller._seconds = 60.0
    assert await teller.tell(HUNL, "next") == b"next\n"
    await teller.close()


async def test_an_asker_who_goes_leaves_no_answer_behind(mimic):
    """The next one has its own; so has one who asks of another game."""
    teller = StrategyTeller("x")
    going = asyncio.create_task(teller.tell(HUNL, "stay"))
    await asyncio.sleep(0.2)
    going.cancel()
    await asyncio.wait([going])
    assert await teller.tell(HUNL, "1") == b"1\n"
    assert await teller.tell(load_builtin("hulhe"), "2") == b"2\n"
    await teller.close()


@pytest.mark.parametrize(
    ("line", "over", "asked"),
    [
        ("STATE:1:c:|:5|-5:a|b # 12.5", True, "STATE:1:c:|:5|-5:0|1"),
        ("STATE:1:9|9:1|2:c:|:5|-5:a:|b", True, "STATE:1:9|9:1|2:c:|:5|-5:0|1"),
        ("STATE:1:c:|::a|b", False, "STATE:1:c:|:0|0:0|1"),
        ("STATE:1:9|9:1|2::AhKd|::a:b|", False, "STATE:1:9|9:1|2::AhKd|:0|0:0|1"),
    ],
)
def test_lines_are_asked_without_names(line, over, asked):
    """Whole or cut, with chips of their own or not."""
    assert asked_line(HUNL, line, over=over) == asked


@pytest.mark.parametrize(
    ("line", "over"),
    [
        ("STATE:1:c:|::a|b", True),
        ("STATE:1:c:||::a|b|c", False),
        ("STATE:1:c:||:0|0|0:a|b|c", False),
        ("SCORE:1|-1:a|b", False),
        ("STATE:1:c:|x:0|0:a|b", False),
        ("STATE:1:c:|:0|0:a|b\nSTATE:1:c:|:0|0:a|b", False),
        ("STATE:\u0661:c:|::a|b", False),
        ("", False),
    ],
)
def test_what_is_no_line_of_a_hand_is_refused(line, over):
    """Nothing else ever reaches the program."""
    with pytest.raises(Refusal) as refusal:
        asked_line(HUNL, line, over=over)
    assert refusal.value.status == 400


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("", ""),
        ("script:C,300f", ""),
        ("nosuchbot", "no bot, game or file is called 'nosuchbot'"),
        ("plane-30-50", "'plane-30-50' tells no strategy (arena match plays it)"),
        ("no/such.blueprint,purify", "no/such.blueprint: No such file"),
    ],
)
def test_a_strategy_that_is_not_there_is_told_at_once(bot, words):
    """In one line, by the program that knows."""
    with checking(bot) as problem:
        told = problem()
    assert told.startswith(f"--strategy: {words}" if words else "")
    assert bool(told) == bool(words)
    assert "\n" not in told


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        ("blueprint", "blueprint"),
        ("blueprint --model /home/ann/x.blueprint", "blueprint"),
        ("/home/ann lee/x.blueprint,threshold=0.1", "x.blueprint,threshold=0.1"),
        ("script:C,400/a", "script:C,400/a"),
    ],
)
def test_pages_are_told_the_name_of_a_strategy_alone(bot, name):
    """Folders are nobody's business."""
    assert StrategyTeller(bot).name == shown_name(bot) == name
