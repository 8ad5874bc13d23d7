"""The page that solves spots, in a real browser: painted, solved, walked through and stopped."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dealer
from tests.helpers.browser import open_browser

ROOT = Path(dealer.__file__).parent.parent
SECONDS = 240
"""Nothing is this long in coming, not even from a bot that compiles on a busy machine."""
IN_SIGHT = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return box.bottom <= innerHeight && document.elementFromPoint(x, y)?.matches(selector);
}"""


@pytest.fixture
def page(tmp_path):
    """The page of `arena web --solve`; no error may come up in it."""
    words = [sys.executable, "-m", "dealer.arena", "web", "--no-browser", "--solve"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with (
        open_browser() as browser,
        subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as program,
    ):
        try:
            shown, faults = browser.new_page(reduced_motion="reduce"), []
            shown.set_default_timeout(1000 * SECONDS)
            shown.on("pageerror", lambda error: faults.append(str(error)))
            shown.goto(program.stdout.readline().strip())
            yield shown
            assert faults == []
            program.send_signal(signal.SIGINT)
            assert program.wait(SECONDS) == 130
            assert not list(tmp_path.iterdir())
        finally:
            program.kill()


def test_ranges_are_painted_a_spot_is_solved_and_walked_through(page, tmp_path):
    """By mouse and keys; the text and the command follow, and a solve without end is stopped."""
    from playwright.sync_api import expect

    cell = page.locator("#range [role=gridcell]")
    text = page.locator("textarea[name=oop]")
    command = page.locator("#command")
    page.locator("#range-facts", has_text="234 combos").wait_for()
    page.click("#clear")
    page.locator("#range-facts", has_text="0 combos").wait_for()
    cell.nth(0).hover()
    page.mouse.down()
    cell.nth(1).hover()
    cell.nth(2).hover()
    page.mouse.up()
    page.keyboard.press("ArrowDown")  # from AA, where the stroke began
    page.keyboard.press("ArrowRight")
    page.keyboard.press("5")
    expect(command).to_have_value(re.compile(" --oop=AA,AQs\\+,KK:0.5 "))
    expect(text).to_have_value("AA, AQs+, KK:0.5")
    assert cell.nth(14).get_attribute("aria-label") == "KK, 50 per cent"
    page.click("[data-side=ip]")
    page.fill("textarea[name=ip]", "QQ-JJ, 76s")
    page.locator("#range-facts", has_text="16 combos").wait_for()
    assert "empty" not in cell.nth(28).get_attribute("class")
    for width, height in ((768, 1024), (390, 844), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.querySelectorAll('*').forEach((one) => (one.scrollTop = 0))")
        assert page.evaluate(IN_SIGHT, "#solve")
    page.click("#solve")
    page.locator("#facts", has_text="% of the pot reached").wait_for()
    assert page.locator("#look").is_hidden()  # it names a file that is not there yet
    with page.expect_download():
        page.click("#save")
    assert page.locator("#look").is_visible()
    hands = page.locator("#strategy [role=gridcell]:not(.empty)")
    assert hands.all_inner_texts() == ["AA", "AKs", "AQs", "KK"]
    page.locator("#choices button", has_text="check").click()
    page.locator("#path button", has_text="OOP check").wait_for()
    assert hands.all_inner_texts() == ["QQ", "JJ", "76s"]
    page.locator("#strategy [role=gridcell]").nth(28).focus()
    assert page.inner_text("#hand-name") == "QQ"
    assert page.locator("#hand-facts tr").count() == 3 + 6
    page.click("[data-view=values]")
    assert "EV " in hands.first.get_attribute("aria-label")
    assert page.input_value("#look-command").endswith("4s8hTc9h2s.solution --node c")
    page.locator("#path button").first.click()
    page.locator("#path button", has_text="OOP check").wait_for(state="detached")
    page.fill("input[name=board]", "4s8hTc9h")
    page.click("summary")
    page.fill("input[name=accuracy]", "0.0000001")
    page.click("#solve")
    page.locator("#status", has_text="iteration").wait_for()
    page.click("#stop")
    page.locator("#facts", has_text="interrupted").wait_for()
    assert [path.name for path in tmp_path.glob("*/*")] == ["2.solution"]
    page.locator("#choices button", has_text="check").click()
    page.locator("#path button", has_text="OOP check").wait_for()
    page.locator("#choices button", has_text="check").click()
    assert page.locator("#deal button:disabled").count() == 4
    page.locator("#deal button[aria-label='2 of spades']").click()
    page.locator("#path button", has_text="IP check, 2s").wait_for()
    assert page.input_value("#look-command").endswith("--node cc/ --dealt 2s")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    assert axe.Axe().run(page).violations_count == 0
