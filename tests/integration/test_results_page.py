"""The page of results in a real browser: a tournament, a match, hostile names, a phone."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from queue import Queue

import pytest

from dealer.web.archive import Archive
from dealer.web.guard import Guard
from dealer.web.log_site import LogSite
from dealer.web.router import read_pages, serve_site
from dealer.web.server import listen_at
from tests.helpers.browser import open_browser
from tests.helpers.match_folders import write_match, write_tournament

NAMES = ("<img/src=x/onerror=alert(1)>", "Bob\u202e")


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests."""
    with open_browser() as opened:
        yield opened


@contextmanager
def serving(folder, faults):
    """Serve a folder from a thread, since the browser's own loop runs in this one."""
    begun = Queue()

    async def serve(listening):
        guard = Guard("127.0.0.1", listening.getsockname()[1], "token")
        site = LogSite(Archive([str(folder)]), guard, read_pages())
        stop = asyncio.Event()
        begun.put((guard.link, partial(asyncio.get_running_loop().call_soon_threadsafe, stop.set)))
        await serve_site(site, listening, stop, faults.append)

    with listen_at("127.0.0.1", 0) as listening, ThreadPoolExecutor() as threads:
        done = threads.submit(asyncio.run, serve(listening))
        link, end = begun.get(timeout=10)
        yield link
        end()
        done.result(timeout=10)


@pytest.fixture
def visit(browser):
    """A function that opens a page of a folder, and returns it with what the server counts."""
    faults = []
    with ExitStack() as stack:

        def open_page(folder, size=(1280, 800), name="results.html", **options):
            link = stack.enter_context(serving(folder, faults))
            viewport = {"width": size[0], "height": size[1]}
            context = stack.enter_context(browser.new_context(viewport=viewport, **options))
            page = context.new_page()
            page.set_default_timeout(10_000)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda message: faults.append(message.text))
            page.goto(f"{link}{name}")
            return page, page.evaluate("fetch('results.json').then((answer) => answer.json())")

        yield open_page
    assert not faults


def test_a_tournament_is_shown(visit, tmp_path):
    """From the list of logs: win rates, a crosstable that leads to logs, play, pots and hands."""
    folder = write_tournament(tmp_path / "t", ("Ann", "Bob", "Cleo"))
    page, document = visit(folder, name="index.html")
    page.locator("#log-list li", has_text="40 hands: ").last.wait_for()
    assert page.locator("#log-list .played").all_inner_texts()[0].count("BB") == 2
    page.click("text=Results")
    page.locator("#status", has_text="240 hands, 6 logs").wait_for()
    (game,) = document["games"]
    rates = page.get_by_role("region", name="Win rates")
    for player in game["players"]:
        row = rates.locator("tbody tr", has_text=player["player"])
        quoted = player["estimators"][player["quoted_estimator"]]
        assert row.locator("td").first.get_attribute("class").endswith("quoted")
        told = row.locator(".quoted").inner_text().replace("\u2212", "-").replace(",", "")
        half = quoted["ci95_mbb_per_hand"]
        assert told.startswith(f"{quoted['mbb_per_hand']:.1f} ± {half:.1f}")
    crossed = page.get_by_role("region", name="Crosstable")
    links = crossed.locator("a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert sorted(links) == sorted(f"replay.html#log={log}" for log in range(6) for _ in range(2))
    curve = page.locator(".rate-curve")
    assert curve.get_by_role("combobox", name="Against").locator("option").all_inner_texts() == [
        "against Bob",
        "against Cleo",
    ]
    curve.get_by_role("combobox", name="Player").select_option(label="Cleo")
    assert "against Ann" in curve.get_by_role("combobox", name="Against").inner_text()
    play = page.get_by_role("region", name="How everybody played")
    assert play.locator("tbody tr:visible").count() == 3
    page.click("text=By position")
    assert play.locator("tbody tr:visible").count() == 9
    (ann,) = (row for row in game["stats"] if (row["player"], row["position"]) == ("Ann", "BB"))
    row = play.locator("tbody tr", has_text="Ann").filter(has_text="BB")
    assert f"{ann['counts']['vpip']} / {ann['hands']}" in row.inner_text()
    pot = game["pots"][0]
    page.get_by_role("region", name="Biggest pots").locator("tbody a").first.click()
    page.locator("#hand-title", has_text=f"Hand {pot['hand']}").wait_for()
    assert page.get_attribute("#results-link", "href") == "results.html"
    assert page.locator("#results-link").is_visible()


def test_the_curve_is_read_by_keys(visit, tmp_path):
    """The place on the curve is a slider that says the numbers; chips stand beside win rates."""
    page, document = visit(write_match(tmp_path / "m", "Ann", "Bob"))
    curve = document["games"][0]["curves"][0]
    figure = page.locator(".rate-curve")
    figure.locator("path.band").wait_for(state="attached")
    assert "After 80 hands: raw " in figure.inner_text()
    assert page.locator(".verdict").inner_text().startswith(("Verdict: ", "No verdict"))
    page.focus(".rate-curve input")
    page.keyboard.press("ArrowLeft")
    said = page.get_attribute(".rate-curve input", "aria-valuetext")
    assert said.startswith("After 79 hands: raw ")
    page.click("text=Chips")
    won = f"{abs(curve['raw']['chips'][-2]):,.2f}".rstrip("0").rstrip(".")
    assert f"{won} chips" in page.get_attribute(".rate-curve input", "aria-valuetext")
    assert figure.locator("path.band").count() == 0
    figure.get_by_role("combobox", name="Player").select_option("1")
    figure.get_by_role("slider").fill(str(len(curve["hands"]) - 2))
    assert f"{won} chips" in page.get_attribute(".rate-curve input", "aria-valuetext")
    assert figure.locator("select[aria-label=Against]").is_hidden()


def test_streets_and_times_are_shown(visit, tmp_path):
    """What ended where, the answers of each street on wish; the longest leads to its hand."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    write_times(folder / "match.0.0.log")
    page, document = visit(folder)
    (game,) = document["games"]
    streets = page.get_by_role("region", name="Street by street").locator("tbody tr")
    assert streets.count() == 8
    turn = game["streets"][2]
    words = streets.nth(2).inner_text()
    assert "Turn" in words
    assert f"{turn['reached']} / {turn['hands']}" in words
    times = page.get_by_role("region", name="Time for answers").locator("tbody tr")
    assert page.get_by_role("region", name="Time for answers").locator("tr:visible").count() == 3
    page.click("text=By street")
    assert times.count() == len(game["latency"])
    longest = game["latency"][0]["longest"]
    times.first.locator("a").click()
    page.locator("#hand-title", has_text=f"Hand {longest['hand']}").wait_for()


def write_times(log):
    """Write a transaction file beside a log, with longer and longer answers."""
    rows = []
    for line in log.read_text().splitlines():
        if line.startswith("STATE"):
            _, hand, betting, *_ = line.split(":")
            actions = re.findall("[fc]|r[0-9]+", betting)
            rows += [f"{action} {hand} 10 {10 + 0.01 * int(hand)}\n" for action in actions]
    log.with_suffix(".tlog").write_text("".join(rows))


@pytest.mark.slow
def test_what_is_set_stays_while_hands_are_added(visit, tmp_path):
    """Rows that were opened, the player of the curve, its place, the focus and a scrolled table."""
    folder = write_match(tmp_path / "m", "Ann", "Bob")
    log = folder / "match.0.1.log"
    text = log.read_text()
    log.write_text(text[: text.index("STATE:30:")])
    page, _ = visit(folder, (390, 844))
    play = page.get_by_role("region", name="How everybody played")
    page.locator("#status", has_text="70 hands").wait_for()
    page.locator(".rate-curve select").select_option(label="Bob")
    page.click("text=Chips")
    page.locator(".rate-curve input").fill("3")
    play.evaluate("(one) => { one.scrollLeft = 60; }")
    page.click("text=By position")
    log.write_text(text)
    page.locator("#status", has_text="80 hands").wait_for(timeout=30_000)
    assert play.locator("tbody tr:visible").count() == 6
    assert play.evaluate("(one) => one.scrollLeft") == 60
    assert page.locator("button:focus").inner_text() == "By position"
    assert page.locator(".rate-curve select :checked").inner_text() == "Bob"
    said = page.get_attribute(".rate-curve input", "aria-valuetext")
    assert said.startswith("After 4 hands: ")
    assert said.endswith("chips")


def test_a_match_that_begins_later_is_counted(visit, tmp_path):
    """As the next one of a tournament does; the server may have been away meanwhile."""
    write_tournament(tmp_path, ["Ann", "Bob"])
    page, _ = visit(tmp_path)
    page.clock.install()
    page.reload()
    page.locator("#status", has_text=re.compile("^80 hands, 2 logs$")).wait_for()
    write_match(tmp_path / "pairings" / "1", "Ann", "Cid")
    page.evaluate("void ([window.there, window.fetch] = [fetch, () => Promise.reject()])")
    page.clock.run_for(10_000)
    page.locator("#status", has_text="The server is not there any more.").wait_for()
    page.evaluate("void (window.fetch = there)")
    page.clock.run_for(10_000)
    page.locator("#status", has_text=re.compile("^160 hands, 4 logs$")).wait_for()
    page.locator("h2", has_text="Crosstable").wait_for()


def test_what_is_left_out_is_told(visit, tmp_path):
    """In a line for each file; without a hand there is still a page."""
    folder = tmp_path / "m"
    folder.mkdir()
    (folder / "a<b>.log").write_bytes(b"")
    page, _ = visit(folder)
    page.locator("main p", has_text="There is no hand yet.").wait_for()
    assert page.locator("h1").inner_text() == "Results"
    (folder / "a<b>.log").write_text("noise\n")
    page.reload()
    page.locator(".note", has_text="a<b>.log: no log").wait_for()


@pytest.mark.parametrize("name", ["\u202eevil\u2066x", "\u2067\u2067", "<b>" + "W" * 10_000])
def test_a_name_turns_nothing_round(visit, tmp_path, name):
    """What follows it is read as it stands there, and it is no wider than other names."""
    page, _ = visit(write_match(tmp_path / "m", name, "Bob", hands=60))
    page.wait_for_selector("main .verdict")
    row = page.get_by_role("region", name="Biggest pots").locator("tbody tr").first
    cell = row.locator("td.text").nth(1)
    places = cell.evaluate(
        """(cell) => [...cell.childNodes].map((node) => {
          const range = document.createRange();
          range.selectNode(node);
          return range.getBoundingClientRect().left;
        })"""
    )
    assert len(places) >= 4
    assert places == sorted(places)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (
        max(page.locator("th bdi").evaluate_all("all => all.map((one) => one.offsetWidth)")) < 250
    )


def test_all_is_reached_by_keys(visit, tmp_path):
    """Each control, link and table in turn, and tables that are wider than a phone scroll."""
    folder = write_match(tmp_path / "m", "Ann", "Bob", hands=6)
    page, _ = visit(folder, (390, 844))
    page.wait_for_selector("main .verdict")
    wanted = page.locator("main :is(a, button, select, input, [tabindex]):visible").count()
    page.focus("header button")
    met = set()
    for _ in range(wanted):
        page.keyboard.press("Tab")
        met.add(
            page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)")
        )
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert len(met) == wanted
    page.focus("[aria-label='Street by street']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[aria-label='Street by street']")
    scrolled = page.get_by_role("region", name="Street by street")
    for _ in range(50):
        if scrolled.evaluate("(one) => one.scrollLeft"):
            break
        page.wait_for_timeout(50)
    assert scrolled.evaluate("(one) => one.scrollLeft") > 0


@pytest.mark.slow
def test_axe_finds_no_fault_in_results(visit, tmp_path):
    """By night and by day, on a phone; names are text, and nothing is wider than the page."""
    folder = write_match(tmp_path / "m", *NAMES, hands=4)
    write_times(folder / "match.0.0.log")
    page, _ = visit(folder, (390, 844), color_scheme="dark")
    page.wait_for_selector(".rate-curve")
    page.click("text=By position")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe = pytest.importorskip("axe_playwright_python.base")
    page.evaluate(axe.AXE_FILE_PATH.read_text(encoding="utf-8"))
    for scheme, rules in (("dark", ""), ("light", "{runOnly: ['color-contrast']}")):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate(f"axe.run({rules})")["violations"]
        assert not [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def test_play_by_depth_where_it_varies(visit, tmp_path):
    """Of a freeze-out, whose hands state their stacks; the tracker's numbers have their counts."""
    hands = [
        f"STATE:{number}:{stacks}:100|50:r300c/cr600f:5d5c|9hQd/8dAs8s:-300|300:Ann|Bob"
        for number, stacks in enumerate(["20000|20000", "20000|20000", "1400|900"])
    ]
    (tmp_path / "match.log").write_text("\n".join(hands) + "\n")
    page, document = visit(tmp_path)
    play = page.get_by_role("region", name="How everybody played")
    play.locator("tbody tr:visible").first.wait_for()
    assert play.locator("tbody tr:visible").count() == 2
    page.click("text=By depth")
    rows = play.locator("tbody tr:visible")
    assert [text.split("\t")[1] for text in rows.all_inner_texts()] == [
        *("all", "<15 BB", "200+ BB"),
        *("all", "<15 BB", "200+ BB"),
    ]
    assert "2 / 2" in rows.nth(2).inner_text()
    assert len(document["games"][0]["stats"]) == 8
