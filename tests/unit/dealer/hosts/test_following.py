"""What another host does when it is welcome, refused, forgotten or stopped."""

import asyncio
import os
import signal

import pytest

from dealer.errors import MatchError, MatchUsageError
from dealer.hosts.following import FollowingHost, HostSetup, check_folders, program_here
from dealer.hosts.line import HostLine
from dealer.server.endings import Ending
from tests.helpers.fake_store import FakeStore
from tests.helpers.said import refused, says


class Scene:
    """A host whose first one is played by the test."""

    def __init__(self):
        self.now = 0.0
        self.store = FakeStore()
        self.first = HostLine(self.store, 0, (1,), clock=lambda: self.now)
        self.line = HostLine(self.store, 1, (0,), clock=lambda: self.now)
        self.heard = []

    def answer(self, **answers):
        """Answer every message by its "what"."""
        self.first.exchange()
        while (heard := self.first.take()) is not None:
            self.heard.append(heard[1])
            for answer in answers.get(heard[1]["what"], ()):
                self.first.send(1, answer)
        self.first.exchange()
        self.line.exchange()

    def run(self, accept, then=lambda: None, **answers):
        """Let the host take part; return how it ended."""

        async def main():
            host = FollowingHost(self.line, accept, print)
            async with asyncio.timeout(20):
                task = asyncio.create_task(host.run())
                while not task.done():
                    await asyncio.sleep(0.002)
                    self.answer(**answers)
                    then()
                self.line.exchange()
                return await task

        try:
            return asyncio.run(main())
        finally:
            self.answer()


@pytest.fixture
def scene(monkeypatch):
    """Looks that follow each other at once."""
    monkeypatch.setattr("dealer.hosts.following._LOOK_SECONDS", 0.002)
    return Scene()


def ready(welcome):
    """Accept everything."""
    return HostSetup({}, "/", 2, ())


WELCOME = {"what": "welcome", "tournament": "t"}
OVER = {"what": "over"}


def test_a_host_takes_part_until_all_is_over(scene):
    """It says what it is, then how many legs it plays."""
    assert scene.run(ready, hello=[WELCOME], ready=[OVER]) is Ending.FINISHED
    assert [said["what"] for said in scene.heard] == ["hello", "ready"]
    assert scene.heard[0]["program"] == program_here()
    assert scene.heard[1]["jobs"] == 2
    late = Scene()  # all was over before it came
    assert late.run(ready, hello=[OVER]) is Ending.FINISHED


def test_a_host_that_is_refused_says_why(scene):
    """As an error of how it was started."""
    with refused(MatchUsageError, "it runs arena 2"):
        scene.run(ready, hello=[{"what": "refused", "why": "it runs arena 2"}])


def test_a_host_with_another_tournament_leaves_at_once(scene):
    """The first one hears why."""

    def accept(welcome):
        raise MatchUsageError("this host is for another tournament: seed")

    with pytest.raises(MatchUsageError, match="another tournament"):
        scene.run(accept, hello=[WELCOME])
    assert scene.heard[-1]["what"] == "leaves"
    says(scene.heard[-1]["why"], "another tournament", "seed")


def test_without_the_first_host_there_is_nothing_to_do(scene):
    """A store that breaks, or silence."""

    def fall_silent():
        scene.now += 3.0
        scene.line.fault = scene.line.fault or ("Broken pipe" if scene.now > 9 else "")

    with refused(MatchError, "first host", "Broken pipe"):
        scene.run(ready, then=fall_silent, hello=[WELCOME])


def test_ctrl_c_leaves_in_order(scene):
    """The first one is told."""

    presses = [signal.SIGINT]

    def press():
        if presses and scene.heard and scene.heard[-1]["what"] == "ready":
            os.kill(os.getpid(), presses.pop())

    assert scene.run(ready, then=press, hello=[WELCOME]) is Ending.INTERRUPTED
    assert scene.heard[-1]["what"] == "leaves"
    says(scene.heard[-1]["why"], "stopped")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    """Before anything is played."""
    check_folders([], str(tmp_path))
    with refused(MatchUsageError, "no folder", tmp_path / "nowhere"):
        check_folders([], str(tmp_path / "nowhere"))
