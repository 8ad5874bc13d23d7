"""The replayer in a real browser: what is on the table, the keys, filters, hostile names."""

import argparse
import itertools
import re

import numpy as np
import pytest

from dealer.logs.hand_filter import FILTERS, HandFilter
from dealer.logs.showing.hand_documents import game_document
from dealer.pages.single_page import PAGES, single_page
from engine.equity.allin import allin_expectation
from engine.rules.pots import called
from engine.rules.view import state_of_betting
from protocol.cards import parse_cards
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.browser import open_browser
from tests.helpers.random_logs import random_log

HUNL = load_builtin("hunl")
TEN = parse_gamedef(
    "nolimit\nnumPlayers = 10\nnumRounds = 4\nstack = 500 500 500 500 500 500 500 500 500 500\n"
    "blind = 5 10 0 0 0 0 0 0 0 0\nfirstPlayer = 3 1 1 1\nnumSuits = 4\nnumRanks = 13\n"
    "numHoleCards = 2\nnumBoardCards = 0 3 1 1\n"
)
DEEP = [
    "STATE:17:cr300c/cr900c/cc/r20000c:AsKd|7h7s/Ah7d2c/Ts/3d:-20000|20000:Ann|Bob",
    "STATE:18:r250f:2c3d|8h9s:-100|100:Bob|Ann",
]
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SITE = "http://arena.test/token/"
MAX_SECONDS = 10


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests."""
    with open_browser() as opened:
        yield opened


@pytest.fixture
def visit(browser, tmp_path):
    """A function that puts logs, (game, lines), into a page of one file; nothing may go wrong."""
    faults = []
    contexts = []

    def open_page(*logs, size=(1280, 800), address="", **options):
        documents = [
            {"name": f"{at}.log", "game": game_document("g", game), "text": "\n".join(lines)}
            for at, (game, lines) in enumerate(logs)
        ]
        page = tmp_path / "page.html"
        page.write_text(single_page({"logs": documents}), encoding="utf-8")
        viewport = {"width": size[0], "height": size[1]}
        contexts.append(browser.new_context(viewport=viewport, **options))
        shown = contexts[-1].new_page()
        watch(shown, faults)
        shown.goto(f"{page.as_uri()}{address}")
        shown.wait_for_selector(".seat")
        return shown

    yield open_page
    for context in contexts:
        context.close()
    assert not faults


def watch(page, faults):
    """Note errors, refusals of the policy, dialogs and requests beyond the page itself."""
    page.set_default_timeout(1000 * MAX_SECONDS)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.on("request", lambda asked: asked.is_navigation_request() or faults.append(asked.url))


def random_hands(game, hands):
    """Return a log of random play."""
    return game, random_log(game, 3, hands, np.random.default_rng(3))


def seat(page, name):
    """Return the seat of a player."""
    return page.locator(".seat", has=page.locator(".name", has_text=re.compile(f"^{name}$")))


def test_a_hand_is_stepped_through_by_keys(visit):
    """Pot, bets, stacks, board and who acts, from the blinds to the result, and back."""
    page = visit((HUNL, DEEP))
    page.locator(".seat.shares").first.wait_for()  # all boards are counted meanwhile
    assert page.inner_text(".pot") == "Pot 150"
    assert seat(page, "Bob").get_attribute("class").split() == ["seat", "acts", "shares"]
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert page.inner_text(".pot") == "Pot 400"
    assert seat(page, "Ann").locator(".said").inner_text() == "raises to 300"
    assert page.locator(".bet:not(:empty)").all_inner_texts() == ["300", "100"]
    page.keyboard.press("End")
    assert page.locator(".board .card").count() == 5
    assert page.locator(".board .card").first.get_attribute("aria-label") == "ace of hearts"
    assert seat(page, "Bob").locator(".said").inner_text() == "+20,000 · three of a kind"
    assert seat(page, "Bob").locator(".stack").inner_text() == "40,000"
    assert page.locator("#totals dd").all_inner_texts() == ["\u221220,000", "+20,000"]
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#hand-title") == "Hand 18"
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#hand-title") == "Hand 17"
    page.wait_for_url("**#hand=17&step=14")
    page.keyboard.press("Home")
    assert page.locator(".board .card").count() == 0
    page.locator("#history .action", has_text="all-in").first.click()
    assert "all-in" in seat(page, "Ann").locator(".said").inner_text()


def test_the_address_names_a_hand_and_a_step(visit):
    """A link to a hand opens it; another address in the open page goes there."""
    page = visit((HUNL, DEEP), address="#hand=18&step=1")
    assert page.inner_text("#hand-title") == "Hand 18"
    assert page.inner_text(".pot") == "Pot 350"
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#hand=18&step=2")
    page.evaluate("location.hash = '#hand=17'")
    page.locator(".pot", has_text="Pot 150").wait_for()
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#hand-title") == "Hand 18"
    page.keyboard.press("ArrowUp")
    page.wait_for_url("**#hand=17")
    page = visit((HUNL, DEEP), address="#hand=99")
    page.locator("#status", has_text="2 hands, none with number 99").wait_for()
    assert page.inner_text("#hand-title") == "Hand 17"


def test_equities_are_exact(visit):
    """Beside each seat stands what the engine works out."""
    page = visit((HUNL, DEEP), address="#hand=17&step=4")
    holes, board = [parse_cards("AsKd"), parse_cards("7h7s")], parse_cards("Ah7d2c")
    means = allin_expectation(HUNL, (1, 1), (False, False), holes, board)
    for name, mean in zip(("Ann", "Bob"), means, strict=True):
        text = f"{50 * (mean + 1):.1f}%"
        seat(page, name).locator(".share", has_text=text).wait_for()
    page.keyboard.press("Home")
    page.locator(".share", has_text="45.0%").wait_for()
    page.locator(".share", has_text="55.0%").wait_for()


def test_filters_take_the_hands_of_the_command(visit):
    """Typed into the form after the key /, the list has as many hands as `arena replay` takes."""
    game, lines = random_hands(load_builtin("nolimit3"), 300)
    page = visit((game, lines))
    parser = argparse.ArgumentParser()
    FILTERS.add_to(parser)
    words = ["--player", "Bob", "--position", "BTN", "--pot", "8", "--off-menu", "0.5,1"]
    chosen = HandFilter(parser.parse_args(words))
    records = [parse_log_line(line) for line in lines if line.startswith("STATE")]
    passed = [record.hand_id for record in records if chosen.passes(game, record)]
    assert 3 < len(passed) < 100
    page.keyboard.press("/")
    page.select_option("[name=player]", "Bob")
    page.select_option("[name=position]", "BTN")
    page.fill("[name=pot]", "8")
    page.fill("[name=offMenu]", "0.5,1")
    page.locator("#count", has_text=str(len(passed))).wait_for()
    assert page.locator(".hand .number").first.inner_text() == f"#{passed[0]}"
    page.fill("[name=pot]", "many")
    page.locator("[name=pot][aria-invalid=true]").wait_for()
    page.keyboard.press("Escape")
    page.click("text=Show all hands")
    page.locator("#count:empty").wait_for(state="attached")
    page.keyboard.press("b")
    biggest = max(called(state_of_betting(game, record.betting).spent) for record in records)
    assert page.inner_text(".pot") == "Pot 150"
    page.keyboard.press("End")
    assert page.inner_text("#history .result .chips-text") == f"pot {biggest:,}"


def test_names_are_text(visit):
    """Markup, signs that turn the direction of writing and 10 kB names only stand there."""
    names = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>\u202e&amp;"]
    long = "x" * 10_000
    pairs = [names, [long, names[0]]]
    lines = [
        f"STATE:{hand}:f:AsKd|:50|-50:{one}|{other}" for hand, (one, other) in enumerate(pairs)
    ]
    page = visit((HUNL, lines))
    assert set(page.locator(".seat .name").all_inner_texts()) == set(names)
    assert page.locator("img").count() == 0
    page.keyboard.press("ArrowDown")
    assert long in page.locator(".seat .name").all_inner_texts()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_only_rows_in_sight_are_there(visit):
    """Of thousands of hands the list draws those that can be seen, wherever it is scrolled."""
    lines = [f"STATE:{hand}:f:AsKd|:50|-50:Ann|Bob" for hand in range(20_000)]
    page = visit((HUNL, lines))
    page.locator("#status", has_text="20,000 hands").wait_for()
    for key, expected in (("", 0), ("up", 19_999)):
        if key:
            page.evaluate("document.querySelector('#list').scrollTop = 1e9")
            page.wait_for_selector("text=#19999")
        assert page.locator(".hand").count() < 40
        assert page.locator(".hand .number", has_text=re.compile(f"^#{expected}$")).count() == 1


def test_hands_play_by_themselves(visit):
    """The space bar plays on to the next hand; reading it again stops."""
    page = visit((HUNL, DEEP), address="#hand=17&step=13")
    for _ in range(4):
        page.keyboard.press("+")
    assert page.inner_text("#speed") == "16\u00d7"
    page.keyboard.press(" ")
    page.locator("#hand-title", has_text="Hand 18").wait_for()
    page.locator("#play[aria-label=Play]").wait_for()
    assert page.locator(".said:not(:empty)").count() == 2


def test_all_games_have_a_table(visit):
    """From Kuhn poker to ten players: hands are shown, with seats inside the table, on a phone."""
    games = [*map(load_builtin, ("kuhn", "leduc3", "limit3", "nolimit6")), TEN]
    page = visit(*[random_hands(game, 4) for game in games], size=(390, 844))
    for at, game in enumerate(games):
        page.select_option("#log-choice", f"{at}")
        page.locator(f".oval[data-players='{game.players}']").wait_for()
        page.locator("#table").click()
        for key in ("ArrowDown", "End", "ArrowDown", "End"):
            page.keyboard.press(key)
        assert page.locator("#fault").is_hidden()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("#list").bounding_box()["height"] == 4 * 56, "no room below few hands"
        (table,) = boxes_of(page, "#table")
        plates = boxes_of(page, ".plate")
        assert len(plates) == game.players
        for box in plates:
            assert box["x"] >= table["x"] - 1
            assert box["x"] + box["width"] <= table["x"] + table["width"] + 1
        for one, other in itertools.combinations(plates, 2):
            assert apart(one, other)


def everybody_bets(players):
    """Return a game and a log of one hand in which all players have bet before all but one fold."""
    blinds = ("100 50", "50 100" + " 0" * (players - 2))[players > 2]
    game = parse_gamedef(
        f"nolimit\nnumPlayers = {players}\nnumRounds = 4\nstack ={' 20000' * players}\n"
        f"blind = {blinds}\nfirstPlayer = {2 if players == 2 else 3 % players or 3} 1 1 1\n"
        "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\n"
    )
    raises = "".join(f"r{total}" for total in (1200, 2300, 4600, 9200, 15000, 19900)[:players])
    called_round = "c" * players + "/"
    betting = f"{3 * called_round}{raises}{'f' * (players - 1)}"
    holes = "|".join(("2c3c", "4c5c", "6c7c", "8c9c", "TcJc", "QcKc")[:players])
    ends = "|".join(["0"] * players), "|".join(f"player{seat}" for seat in range(players))
    return game, [f"STATE:1:{betting}:{holes}/AhKdQs/Jh/Th:{':'.join(ends)}"]


def test_bets_of_up_to_six_players_are_covered_by_nothing(visit):
    """Neither by seats, cards, board and pot, nor by each other, all players having bet."""
    page = visit(*map(everybody_bets, range(2, 7)), reduced_motion="reduce")
    for log, players in enumerate(range(2, 7)):
        page.evaluate(f"location.hash = '#log={log}&hand=1&step={4 * players + 3}'")
        page.locator(f".oval[data-players='{players}']").wait_for()
        page.locator(".bet span").nth(players - 1).wait_for()
        for width, height in ((1200, 800), (768, 1024), (390, 844), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            bets = boxes_of(page, ".bet > *")
            others = boxes_of(page, ".plate, .hole .card, .board .card, .pot span, .button")
            assert (len(bets), len(others) > 3 * players) == (2 * players, True)
            for number, one in enumerate(bets):
                assert all(apart(one, other) for other in others), (players, width)
                # A pile stands close to its own number
                rest = bets[number + 1 + (number % 2 == 0) :]
                assert all(apart(one, other) for other in rest), (players, width)


def test_an_uncalled_bet_goes_back(visit):
    """To its stack, and once; at the result the pot is empty.  Raises count chips of the street."""
    line = "STATE:1:cr300c/r500r1000c/cr20000f:2c3c|4c5c/AhKdQs/Jh:-1000|1000:ann|bob"
    page = visit((HUNL, [line]), address="#hand=1&step=6")
    assert seat(page, "bob").locator(".said").inner_text() == "raises to 700"
    page = visit((HUNL, [line]), address="#hand=1&step=10")
    assert page.inner_text(".pot") == "Pot 21,000"
    for key, pot, stack in (
        ("ArrowRight", "Pot 21,000", "all-in"),
        ("ArrowRight", "Pot 2,000", "19,000"),
        ("ArrowRight", "", "21,000"),
    ):
        page.keyboard.press(key)
        assert page.inner_text(".pot") == pot
        assert seat(page, "bob").locator(".stack").inner_text() == stack


def boxes_of(page, selector):
    """Return the boxes of all elements, in order: x, y, width and height in pixels."""
    return page.locator(selector).evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )


def apart(one, other):
    """Return whether two boxes do not overlap."""
    return any(
        first[side] + first[size] <= second[side] + 1
        for first, second in ((one, other), (other, one))
        for side, size in (("x", "width"), ("y", "height"))
    )


def test_axe_finds_no_fault(visit):
    """Contrast, names, roles: none of axe-core's rules is broken, by day, by night, on a phone."""
    page = visit((HUNL, DEEP), color_scheme="light", reduced_motion="reduce")
    style = "getComputedStyle(document.querySelector('.bar'))"
    assert page.evaluate(f"{style}.transitionDuration") == "0s"
    for key in ("ArrowRight", "End", "/"):
        page.keyboard.press(key)
    check_by_axe(page)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    check_by_axe(page)


def check_by_axe(page):
    """Run axe-core and expect no violation."""
    axe = pytest.importorskip("axe_playwright_python.base")
    page.evaluate(axe.AXE_FILE_PATH.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    assert not [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


@pytest.fixture
def served(browser):
    """A function that opens a page of a server with (lines there are, lines that come) of logs."""
    faults = []
    context = browser.new_context()
    context.set_default_timeout(1000 * MAX_SECONDS)

    def open_page(name, *logs):
        told = set()

        def answer(route, request):
            asked = request.url.removeprefix(SITE).partition("?")[0]
            kind, _, number = asked.partition("/")
            if asked == "logs.json":
                game = game_document("hunl", HUNL)
                entries = [
                    {"id": at, "name": f"{at}.log", "bytes": 9, "game": game}
                    for at in range(len(logs))
                ]
                route.fulfill(json={"logs": entries})
            elif asked == "results.json":
                route.fulfill(json={"games": [], "over": False})
            elif kind == "live" and number in told:
                route.fulfill(status=204)
            elif kind == "live":
                told.add(number)
                there, coming = logs[int(number)]
                kinds = [("lines", line) for line in there]
                kinds += [("hand", ""), *(("lines", line) for line in coming)]
                body = "".join(f"event: {one}\ndata: {data}\n\n" for one, data in kinds)
                route.fulfill(body=body, content_type="text/event-stream")
            else:
                path = PAGES / asked
                headers = {"Content-Security-Policy": POLICY, "Content-Type": KINDS[path.suffix]}
                route.fulfill(path=path, headers=headers)

        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.route(f"{SITE}**", answer)
        page.goto(f"{SITE}{name}")
        return page

    yield open_page
    context.close()
    assert not faults


def test_a_served_log_grows(served):
    """Lines that come as events are new hands; the newest is shown where none is asked for."""
    page = served("replay.html", (DEEP[:1], DEEP[1:]))
    page.locator("#hand-title", has_text="Hand 18").wait_for()
    page = served("replay.html#hand=17", (DEEP[:1], DEEP[1:]))
    page.locator("#status", has_text="2 hands").wait_for()
    assert page.inner_text("#hand-title") == "Hand 17"
    page.click("#follow")
    page.locator("#hand-title", has_text="Hand 18").wait_for()


def test_keys_are_explained(served):
    """The help opens by ? and closes by its button; keys do nothing behind it."""
    page = served("replay.html", (DEEP, []))
    page.locator("#hand-title", has_text="Hand 17").wait_for()
    for key in ("?", "ArrowDown"):
        page.keyboard.press(key)
    page.click("#help >> text=Close")
    page.locator("#help").wait_for(state="hidden")
    assert page.inner_text("#hand-title") == "Hand 17"


def test_logs_are_listed(served):
    """With links to the replayer of each; a log alone is opened at once."""
    page = served("index.html", (DEEP, []), (DEEP[1:], []))
    page.locator("#status", has_text="2 logs").wait_for()
    check_by_axe(page)
    page.click("text=1.log")
    page.locator("#hand-title", has_text="Hand 18").wait_for()
    assert page.url.startswith(f"{SITE}replay.html#log=1")
    page = served("index.html", (DEEP, []))
    page.wait_for_url("**/replay.html*")
