"""A person's seat and a watched match, in a real browser: real dealers, bots and pages."""

import re
import signal
import socket
from contextlib import closing, contextmanager

import pytest

from tests.helpers.arena import run_arena, start_arena
from tests.helpers.browser import open_browser

SECONDS = 240
"""Nothing is this long in coming, not even from a bot that compiles on a busy machine."""
READY = "#next:visible, #call:enabled, #status:has-text('over')"
"""Something for the person to do, or the end."""


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests."""
    with open_browser() as opened:
        yield opened


@contextmanager
def arena(*words, cwd):
    """A command that prints a link on stderr; yields it, the program and the lines before it."""
    with start_arena(cwd, *words) as program:
        try:
            found = next(filter(None, (re.search(r"http://\S+", one) for one in program.stderr)))
            yield found[0], program
        finally:
            program.send_signal(signal.SIGINT)
            try:
                program.wait(SECONDS)
            finally:
                program.kill()


@contextmanager
def visiting(browser, link):
    """A page that moves nothing; no error may come up in it."""
    context = browser.new_context(reduced_motion="reduce")
    page, faults = context.new_page(), []
    page.set_default_timeout(1000 * SECONDS)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(link)
    yield page
    context.close()
    assert faults == []


SECOND_CLICK = """() => new Promise((resolve) => {
    const words = document.querySelector("#words");
    const observer = new MutationObserver(() => {
        if (words.textContent !== "Your turn") return;
        observer.disconnect();
        document.querySelector("#call").click();
        document.querySelector("#call").dispatchEvent(
            new KeyboardEvent("keydown", { key: "c", bubbles: true }));
        resolve([words.textContent, document.querySelector("#call").disabled]);
    });
    observer.observe(words, { childList: true });
    document.querySelector("#call").click();
})"""
"""Click as soon as the buttons have changed, and press the key; says what came of it."""


@pytest.mark.parametrize("hands", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_a_person_plays_a_match(browser, tmp_path, hands):
    """By keys, with a reload in the middle of a hand; the log is that of a match."""
    options = ("--hands", str(hands), "--seed", "5", "--no-browser", "--out", "m")
    words = ("play", "always-call", *options)
    keys = ["6", "c", "6", "f", "4"]
    with arena(*words, cwd=tmp_path) as (link, program), visiting(browser, link) as page:
        done = 0
        while "over" not in page.locator("#status").inner_text():
            page.locator(READY).first.wait_for()
            if page.locator("#next").is_visible():
                page.keyboard.press(" ")
            elif page.locator("#call").is_enabled():
                title = page.locator("#hand-title").inner_text()
                if done == 1:
                    assert page.evaluate(SECOND_CLICK) == ["Your turn", True]
                    page.locator("#call:enabled").wait_for()
                key = keys[done % 5] if page.locator("#raise").is_visible() else "c"
                if done == 7:
                    page.reload()
                    page.locator("#call:enabled").wait_for()
                    assert page.locator("#hand-title").inner_text() == title
                page.keyboard.press(key)
                if key in "46":
                    page.keyboard.press("r")
                done += 1
            page.wait_for_timeout(20)
        assert f"{hands} hands" in page.locator("#result").inner_text()
        result = page.locator("#result strong").inner_text()
        after = page.locator("#after").inner_text()
        assert f"{tmp_path}/m\n" in after
        assert f"arena play --resume {tmp_path}/m --hands {2 * hands}" in after
        page.reload()
        page.locator("#words").filter(has_text=re.compile("You (win|lose|break)")).wait_for()
        assert not page.locator("#call").is_visible()
        out, err = program.communicate(timeout=SECONDS)
    assert program.returncode == 0, err
    assert "1 of 1 legs finished" in out
    log = next((tmp_path / "m").glob("*.log")).read_text()
    assert sum(line.startswith("STATE") for line in log.splitlines()) == hands
    score = re.search(r"SCORE:(-?\d+)\|.*:you\|", log)
    assert int(result.replace("\u2212", "-").replace(",", "")) == int(score[1])
    assert run_arena(tmp_path, "replay", "--verify", "m").code == 0


@pytest.mark.slow
def test_a_match_is_left_and_taken_up_at_the_same_place(browser, tmp_path):
    """By Ctrl-C in the middle of a hand of limit hold'em, where no size is all-in."""
    words = ("always-call", "--game", "hulhe", "--hands", "2", "--out", "m")
    with arena("play", *words, "--no-browser", cwd=tmp_path) as (link, program):
        with visiting(browser, link) as page:
            page.locator("#call:enabled").wait_for()
            assert page.locator("#status").inner_text() == "0 of 2 hands played"
            assert re.match(r"(Raise to|Bet) [0-9]+ R", page.locator("#raise").inner_text())
            page.keyboard.press("c")
            page.locator("#history").filter(has_text="Flop").wait_for()
            page.locator("#call:enabled").wait_for()
            table = page.locator("#history").inner_text()
            program.send_signal(signal.SIGINT)
            page.locator("#status").filter(has_text="stopped after 0 of 2 hands").wait_for()
            assert page.locator("#call").is_disabled()
        out, err = program.communicate(timeout=SECONDS)
    assert (program.returncode, err) == (130, "")
    assert "to resume: arena play --resume m" in out
    words = ("play", "--resume", "m", "--no-browser")
    with arena(*words, cwd=tmp_path) as (link, _), visiting(browser, link) as page:
        page.locator("#call:enabled").wait_for()
        assert page.locator("#history").inner_text() == table


class Caller:
    """An agent that calls when it is told to."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.lines = self.socket.makefile("rb")
        self.socket.sendall(b"VERSION:2.0.0\r\n")

    def call(self, betting):
        """Answer the state with that betting."""
        line = next(one for one in self.lines if one.split(b":")[3] == betting.encode())
        self.socket.sendall(line.rstrip() + b":c\r\n")

    def close(self):
        self.lines.close()
        self.socket.close()


def test_a_match_is_watched_action_by_action(browser, tmp_path):
    """The hand that is being played is on the table, hidden cards as backs, then its end."""
    words = ("dealer", "m", "hunl", "5", "7", "ann", "bob", "--live", "0")
    with arena(*words, cwd=tmp_path) as (link, program), visiting(browser, link) as page:
        ann, bob = (Caller(int(port)) for port in program.stdout.readline().split())
        with closing(ann), closing(bob):
            title, history = page.locator("#hand-title"), page.locator("#history")
            title.filter(has_text="Hand 0, being played").wait_for()
            assert page.locator(".hole .back").count() == 4
            bob.call("")
            history.filter(has_text="calls 50").wait_for()
            ann.call("c")
            page.locator(".board .card").nth(2).wait_for()
            assert page.locator(".board .card").count() == 3
            for before in ("cc/", "cc/cc/", "cc/cc/cc/"):
                ann.call(before)
                bob.call(before + "c")
            title.filter(has_text=re.compile("Hand 0$")).wait_for()
            assert page.locator(".hole .back").count() == 0
            title.filter(has_text="Hand 1, being played").wait_for()
            page.keyboard.press("ArrowLeft")
            assert page.locator("#follow").get_attribute("aria-pressed") == "false"
