"""A match that is watched, in a real browser: the test says what comes and when."""

import json

import pytest

from dealer.logs.showing.hand_documents import game_document
from dealer.pages.single_page import PAGES
from protocol.gamedefs import load_builtin
from tests.helpers.browser import open_browser

SITE = "http://arena.test/token/"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
MAX_SECONDS = 10
LOOK_MS, FURTHER_MS, LIST_MS = 1500, 3000, 10_000
SOURCE = """
window.EventSource = class extends EventTarget {
  static CLOSED = 2;
  constructor(address) {
    super();
    this.readyState = 1;
    window.told = this;
    document.documentElement.dataset.reads = address;
  }
  close() { this.readyState = 2; }
};
window.tell = (kind, data) => told.dispatchEvent(new MessageEvent(kind, { data }));
"""
OPEN = [
    "STATE:0:r200c/cc/:AsKd|7h7s/Ah7d2c/Ts::seat 1|seat 2",
    "STATE:1:r300c/r600:2c3d|8h9s/QdQc4h::Bob|Ann",
]
OVER = [
    "STATE:0:r200c/cc/cc/cc:AsKd|7h7s/Ah7d2c/Ts/3d:-200|200:Ann|Bob",
    "STATE:1:r300c/r600f:2c3d|8h9s/QdQc4h:-300|300:Bob|Ann",
    "STATE:2:f:AsKd|7h7s:50|-50:Ann|Bob",
]
SCORE = "SCORE:150|-150:Ann|Bob"


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests."""
    with open_browser() as opened:
        yield opened


class Watched:
    """A page whose clock and events the test has in its hands."""

    def __init__(self, page, logs):
        self.page = page
        self.sizes = [9] * logs

    def answer(self, route, request):
        """Of a server."""
        asked = request.url.removeprefix(SITE).partition("?")[0]
        game = game_document("hunl", load_builtin("hunl"))
        if asked == "game.json":
            route.fulfill(json={"game": game, "names": ["you", "rule"], "hands": 5})
        elif asked == "logs.json":
            logs = [
                {"id": at, "name": f"{at}.log", "bytes": size, "game": game}
                for at, size in enumerate(self.sizes)
            ]
            route.fulfill(json={"logs": logs})
        elif asked == "results.json":
            route.fulfill(json={"games": [], "over": False})
        else:
            path = PAGES / asked
            route.fulfill(path=path, headers={"Content-Type": KINDS[path.suffix]})

    def go(self, name):
        """Open a page, or another one."""
        self.page.goto(f"{SITE}{name}")

    def tell(self, kind, *lines):
        """Something comes from the server."""
        said = [kind, "\n".join(lines)]
        self.page.evaluate("([kind, data]) => tell(kind, data)", said)
        self.page.clock.run_for(300)  # news are gathered for so long

    def wait(self, milliseconds):
        """Let time go by."""
        self.page.clock.run_for(milliseconds)

    def reads(self, address):
        """Wait until the page reads the lines at an address."""
        self.page.locator(f"html[data-reads='{address}']").wait_for()

    def title(self):
        """Of the hand that is shown."""
        return self.page.inner_text("#hand-title")

    def status(self):
        """What is said about the log."""
        return self.page.inner_text("#status")

    def follows(self):
        """Whether it shows the newest hand."""
        return self.page.locator("#follow").get_attribute("aria-pressed") == "true"


@pytest.fixture
def watch(browser):
    """A function that opens a page; nothing may go wrong in it."""
    faults = []
    contexts = []

    def open_page(name="replay.html", logs=1):
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.set_default_timeout(1000 * MAX_SECONDS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.clock.install()
        page.add_init_script(SOURCE)
        watched = Watched(page, logs)
        page.route(f"{SITE}**", watched.answer)
        watched.go(name)
        page.locator("html[data-reads], #log-list li").first.wait_for()
        return watched

    yield open_page
    for context in contexts:
        context.close()
    assert not faults


def test_a_hand_that_is_over_is_not_shown_open_again(watch):
    """Its result stays where nothing else comes, and the end of the match is told."""
    watched = watch()
    watched.tell("lines", "# a header")
    watched.tell("hand", OPEN[0])
    assert watched.title() == "Hand 0, being played"
    watched.tell("lines", OVER[0])
    assert watched.title() == "Hand 0"
    watched.wait(3 * LOOK_MS)
    assert watched.title() == "Hand 0"
    watched.tell("hand", OPEN[1])
    assert watched.title() == "Hand 1, being played"
    watched.tell("lines", OVER[1], SCORE)
    watched.tell("end")
    watched.wait(3 * LOOK_MS)
    assert watched.title() == "Hand 1"
    assert watched.status() == "2 hands; the match is over"
    assert watched.page.evaluate("told.readyState") == 2


def test_a_hand_that_is_broken_off_goes_with_its_match(watch):
    """The newest result is shown then."""
    watched = watch()
    watched.tell("lines", OVER[0])
    watched.tell("hand", OPEN[1])
    watched.tell("end")
    watched.wait(2 * LOOK_MS)
    assert watched.title() == "Hand 0"
    assert watched.status() == "1 hand; the server has ended"


def test_before_the_first_hand_nothing_is_complained_about(watch):
    """The table is empty until one comes, which is shown at once."""
    watched = watch()
    watched.tell("lines", "# a header")
    watched.tell("hand", "")
    watched.tell("lines", "# a comment")
    assert watched.follows()
    assert watched.page.inner_text("#fault").strip() == ""
    watched.tell("hand", OPEN[0])
    assert watched.title() == "Hand 0, being played"


def test_an_open_hand_that_is_looked_at_gets_its_result(watch):
    """At the same step; before it comes the last hand that is over."""
    watched = watch()
    watched.tell("lines", OVER[0])
    watched.tell("hand", OPEN[1])
    watched.wait(LOOK_MS)
    watched.page.keyboard.press("ArrowLeft")
    assert not watched.follows()
    said = watched.page.inner_text("#spoken")
    watched.tell("lines", OVER[1])
    assert watched.title() == "Hand 1"
    assert watched.page.inner_text("#spoken") == said
    assert watched.page.locator("#history", has_text="folds").count() == 1
    watched.page.keyboard.press("f")
    watched.tell("hand", OPEN[1].replace("STATE:1", "STATE:2"))
    watched.wait(LOOK_MS)
    assert watched.title() == "Hand 2, being played"
    watched.page.keyboard.press("ArrowUp")
    assert watched.title() == "Hand 1"


@pytest.mark.parametrize("address", ["", "#log=1"])
def test_who_comes_back_watches_on(watch, address):
    """The address names no hand while the newest is shown, and one as soon as it is not."""
    watched = watch(f"replay.html{address}", logs=2)
    watched.tell("lines", OVER[0])
    watched.tell("hand", "")
    watched.tell("lines", OVER[1])
    assert watched.follows()
    assert watched.title() == "Hand 1"
    watched.page.reload()
    watched.reads(f"live/{address[-1:] or 0}")
    watched.tell("lines", *OVER[:2])
    watched.tell("hand", "")
    watched.tell("lines", OVER[2])
    assert watched.follows()
    assert watched.title() == "Hand 2"
    watched.page.keyboard.press("ArrowUp")
    watched.wait(300)
    assert "hand=1" in watched.page.url


def test_what_is_looked_at_stays(watch):
    """A step of the slider or the biggest pots, whatever comes."""
    for look in ("slider", "biggest"):
        watched = watch()
        watched.tell("lines", OVER[0])
        watched.tell("hand", "")
        watched.tell("lines", OVER[1])
        if look == "slider":
            watched.page.locator("#steps").fill("2")
        else:
            watched.page.keyboard.press("b")
        assert not watched.follows()
        title = watched.title()
        watched.tell("lines", OVER[2])
        watched.wait(2 * LOOK_MS)
        assert watched.title() == title == "Hand 1"
        watched.page.keyboard.press("f")
        assert watched.title() == "Hand 2"


def test_all_buttons_have_room_on_a_phone(watch):
    """In one row, with their words inside."""
    watched = watch()
    watched.tell("lines", OVER[0])
    watched.tell("hand", OPEN[1])
    for width in (360, 390):
        watched.page.set_viewport_size({"width": width, "height": 800})
        assert watched.page.locator("#follow").is_visible()
        buttons = watched.page.locator(".controls button")
        boxes = buttons.evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().toJSON())"
        )
        assert len({box["y"] for box in boxes}) == 1
        assert boxes[-1]["right"] <= width
        wider = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
        assert buttons.evaluate_all(wider) == 0


def test_the_next_leg_is_watched_after_this_one(watch):
    """A log that grows where this one has its end, also one that has come since."""
    watched = watch(logs=2)
    watched.tell("lines", OVER[0])
    watched.tell("hand", "")
    watched.tell("lines", OVER[1], SCORE)
    assert watched.follows()
    for size in ([], [], [99]):
        watched.reads("live/0")
        watched.sizes += size
        with watched.page.expect_response("**/logs.json"):
            watched.wait(FURTHER_MS)
    watched.reads("live/2")
    assert watched.page.locator("#log-choice option").all_inner_texts() == [
        "0.log",
        "1.log",
        "2.log",
    ]
    watched.tell("lines", *OVER)
    assert watched.follows()
    assert watched.title() == "Hand 2"


def test_another_log_is_another_log(watch):
    """Its first hand is shown: neither the hand of the other one nor what is played there."""
    watched = watch(logs=2)
    watched.tell("lines", OVER[0])
    watched.tell("hand", OPEN[1])
    watched.wait(LOOK_MS)
    watched.page.keyboard.press("ArrowUp")
    watched.wait(300)
    watched.page.select_option("#log-choice", "1")
    watched.reads("live/1")
    assert watched.page.locator(".seat").first.is_hidden()
    watched.tell("lines", OVER[2].replace("STATE:2", "STATE:7"))
    watched.tell("hand", "")
    watched.wait(2 * LOOK_MS)
    assert watched.status() == "1 hand"
    assert watched.title() == "Hand 7"
    watched.page.go_back()
    watched.reads("live/0")


def test_logs_join_the_list(watch):
    """With what is known of them by now."""
    watched = watch("index.html", logs=2)
    watched.page.locator("#log-list a").first.focus()
    watched.sizes[:] = [9, 5000, 9]
    watched.wait(LIST_MS)
    watched.page.locator("#log-list li").nth(2).wait_for()
    texts = watched.page.locator("#log-list li").all_inner_texts()
    assert [text.split()[0] for text in texts] == ["0.log", "1.log", "2.log"]
    assert "5 kB" in texts[1]
    assert watched.status() == "3 logs"
    assert watched.page.evaluate("document.activeElement.href").endswith("#log=0")


def test_nobody_thinks_about_a_hand_that_is_over(watch):
    """While the rest of it is still shown step by step at a person's seat."""
    watched = watch("play.html")
    words = watched.page.locator("#words")
    line = "STATE:0::AsKd|::you|rule"
    watched.tell("situation", json.dumps({"line": line, "position": 0, "turn": None}))
    assert words.inner_text() == "rule is thinking"
    watched.tell("hands", "STATE:0:cr300f:AsKd|:-100|100:you|rule")
    assert words.inner_text() == ""
    watched.wait(5000)
    assert words.inner_text() == "You lose 100"
