"""What a strategy does, in a real browser: beside hands that are looked at, and after one's own."""

import re
import signal
import subprocess
from contextlib import contextmanager

import pytest

from tests.helpers.arena import start_arena
from tests.helpers.browser import open_browser

SECONDS = 240
"""Nothing is this long in coming, not even from a bot that compiles on a busy machine."""
LOG = """# name/game/hands/seed m hunl 10 7
STATE:0:r300c/r600c/cc/cc:AhKd|QsQd/9c8c2d/3h/4h:-600|600:ann|bob
STATE:1:f:2h3d|4s4d:50|-50:bob|ann
"""


@contextmanager
def arena(*words, cwd):
    """A command that prints a link; it ends by Ctrl-C."""
    with start_arena(cwd, *words, "--no-browser", stderr=subprocess.STDOUT) as program:
        try:
            yield program
            interrupt(program)
            assert program.wait(SECONDS) == 130
        finally:
            program.kill()


def interrupt(program):
    """Press Ctrl-C, once."""
    if not vars(program).setdefault("interrupted", False):
        program.interrupted = True
        program.send_signal(signal.SIGINT)


@contextmanager
def visiting(browser, program):
    """The page of a command, on a phone; no error may come up in it."""
    link = next(filter(None, (re.search(r"http://\S+", line) for line in program.stdout)))
    page, faults = browser.new_page(reduced_motion="reduce"), []
    page.set_default_timeout(1000 * SECONDS)
    page.set_viewport_size({"width": 390, "height": 800})
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page, link[0]
    page.close()
    assert faults == []


def test_a_strategy_is_shown_beside_hands_and_after_those_of_ones_own(tmp_path):
    """Not before it is asked for, and never while a hand is played; by keys."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    (tmp_path / "x.log").write_text(LOG)
    play = ("play", "always-call", "--strategy", "script:C", "--hands", "3", "--out", "m")
    web = ("web", "x.log", "--strategy", "script:C,100")
    with (
        arena(*play, cwd=tmp_path) as seat,
        arena(*web, cwd=tmp_path) as logs,
        open_browser() as browser,
    ):
        with visiting(browser, seat) as (page, link):
            page.goto(link)
            advice = page.locator("#advice")
            for street in range(4):
                page.locator("#call:enabled").wait_for()
                assert advice.is_hidden()
                page.keyboard.press("c")
                page.locator(".action .name", has_text="you").nth(street).wait_for()
            page.locator("#next").wait_for()
            advice.locator("summary").click()
            mine = advice.locator("li button")
            mine.nth(3).wait_for()
            assert mine.first.inner_text() == "Pre-flop: checks\nscript:C would check 100 %"
            mine.nth(1).focus()
            page.keyboard.press("Enter")
            advice.locator("tr.done", has_text="check").wait_for()
            found = axe.Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
            page.locator("#next").click()
            page.locator("#call:enabled").wait_for()
            assert advice.is_hidden()
        interrupt(seat)  # it takes a while, for pages to be told
        with visiting(browser, logs) as (page, link):
            asked = []
            page.on("request", lambda request: asked.append(request.url.endswith("/strategy")))
            page.goto(f"{link}#hand=0&step=3")
            page.locator("#advice summary").wait_for()
            page.locator("#advice summary").focus()
            assert not any(asked)
            page.keyboard.press("Enter")
            page.locator("#advice tr", has_text="bet 600").wait_for()
            rows = [row.split("\t") for row in page.locator("#advice tr").all_inner_texts()]
            assert [[cell.strip() for cell in row] for row in rows] == [
                ["", "these cards", "range"],
                ["bet 600", "100.0 %", "100.0 %"],
            ]
            assert page.inner_text("#advice .words") == (
                "What script:C,100 would do here as ann. "
                "ann's bet of 300 is treated as its nearest size, 600, from here on."
            )
            cell = page.locator("#advice [role=gridcell]")
            cell.first.focus()
            page.keyboard.press("ArrowRight")
            assert page.inner_text("#advice .looked") == "AKs: weight 1.00, bet 600 100.0 %"
            assert cell.nth(1).get_attribute("aria-label").startswith("AKs, weight 1.00, bet")
            assert "step=3" in page.url
            page.click("text=Enlarge")
            assert cell.nth(1).bounding_box()["width"] > 24
            page.keyboard.press("Escape")
            page.locator("#advice .body .matrix").wait_for()  # once the dialog is closed
            cell.nth(1).focus()
            page.keyboard.press("End")
            page.locator("#advice .words", has_text="Nobody decides").wait_for()
            assert page.locator("#advice .matrix").is_hidden()
            assert sum(asked) == 1
            assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_strategy_by_the_clock_is_said_to_be_one(tmp_path):
    """Beside what it would do."""
    (tmp_path / "x.log").write_text(LOG)
    web = ("web", "x.log", "--strategy", "libratus --seconds 0.5")
    with (
        arena(*web, cwd=tmp_path) as logs,
        open_browser() as browser,
        visiting(browser, logs) as (page, link),
    ):
        page.goto(f"{link}#hand=1&step=0")
        page.locator("#advice summary").click()
        page.locator("#advice .note", has_text="figures repeat only with").wait_for()
        assert page.inner_text("#advice .words").startswith("What libratus would do here")


def test_what_a_mistake_cost_is_told_of_hands_that_are_over(tmp_path):
    """Beside the actions, and in the list of one's own decisions."""
    (tmp_path / "x.log").write_text(LOG)
    play = ("play", "always-call", "--hands", "2", "--out", "m")
    web = ("web", "x.log", "--strategy", "blueprint")
    with (
        arena(*play, cwd=tmp_path) as seat,
        arena(*web, cwd=tmp_path) as logs,
        open_browser() as browser,
    ):
        with visiting(browser, seat) as (page, link):
            page.goto(link)
            for street in range(4):
                page.locator("#call:enabled").wait_for()
                page.keyboard.press("c")
                page.locator(".action .name", has_text="you").nth(street).wait_for()
            page.locator("#next").wait_for()
            page.locator("#advice summary").click()
            mine = page.locator(
                "#advice li button", has_text=re.compile(r"it cost (\S+ \(|nothing)")
            )
            mine.nth(3).wait_for()
        interrupt(seat)
        with visiting(browser, logs) as (page, link):
            page.goto(f"{link}#hand=1&step=0")
            page.locator("#advice summary").click()
            cost = page.locator("#advice .cost", has_text="Worth most")
            cost.wait_for()
            words = (
                r"what was done cost [\d.,]+ \([\d,]+ ± [\d,]+ mbb\)\."
                r" blueprint's own play costs [\d.,]+\."
            )
            assert re.search(words, cost.inner_text())
            fold, call, *_ = page.locator("#advice tr").all_inner_texts()[1:]
            assert fold.split("\t")[-1] == "0"
            assert re.fullmatch(r"\S+ ± [\d.,]+", call.split("\t")[-1])
