"""Crosstables as pictures, of few bots and of many."""

import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest

from dealer.results.standing import BotStanding, CrosstableCell, PairingStanding, Standings
from dealer.results.standing_files import crosstable_svg, ranking_csv
from engine.estimates.winrate import WinRate

SVG = "{http://www.w3.org/2000/svg}"


def standings(count):
    """Return those of bots of which each beats all later ones, the first two on a tie."""
    bots = tuple(
        BotStanding(f"bot-{at}", at + 1, at + 1, 100.0 - at, 5.0, 10, 0, 0, 0)
        for at in range(count)
    )
    pairings = tuple(
        PairingStanding(
            one, (other,), "", 0, 2, 2, (_estimate(one, other),), one, decided=one + 1 < other
        )
        for one in range(count)
        for other in range(one + 1, count)
    )
    cells = tuple(
        CrosstableCell(
            one.bot,
            one.opponents[0],
            one.quoted.mbb_per_hand,
            one.ci95,
            one.quoted.samples,
            one.decided,
        )
        for one in pairings
    )
    return Standings(bots, pairings, cells, None, 2, 2, 2, 2, "allin", ())


def _estimate(one, other):
    mean = 1234.0 * (other - one) if other > 1 else 0.0
    rate = WinRate(mbb_per_hand=mean, ci95=10.0, sd=1.0, samples=5, hands=10)
    return SimpleNamespace(name="allin_sets", rate=rate)


@pytest.mark.parametrize("count", [3, 20])
def test_each_pair_has_two_cells_of_opposite_colours(count):
    """Green where the row's bot won, its number in the cell; nothing against itself."""
    svg = ET.fromstring(crosstable_svg(standings(count)))
    text = "".join(svg.itertext())
    for at in range(count):
        assert text.count(f"bot-{at}") >= 2
    rectangles = [one.get("class") for one in svg.iter(f"{SVG}rect")]
    for path in svg.iter(f"{SVG}path"):
        rectangles += [path.get("class")] * path.get("d").count("M")
    wins = [name for name in rectangles if name and name.startswith("win")]
    losses = [name for name in rectangles if name and name.startswith("loss")]
    assert len(wins) == len(losses) == count * (count - 1) // 2 - 1
    assert rectangles.count("none") == 2 + count * (count <= 14)


def test_many_bots_have_short_numbers_and_bold_ones_that_are_sure():
    """Row by row; thousands as k."""
    svg = ET.fromstring(crosstable_svg(standings(20)))
    first = next(one for one in svg.iter(f"{SVG}text") if one.get("class") == "ink cell")
    cells = list(first)
    assert [cell.text for cell in cells[:4]] == ["0", "2.5k", "3.7k", "4.9k"]
    assert cells[-1].text == "23k"
    assert [cell.get("class") for cell in cells[:3]] == [None, "sure", "sure"]


def test_the_ranking_as_csv_leaves_open_what_is_not_known():
    """Best first."""
    rows = ranking_csv(standings(3)).splitlines()
    assert rows[0].startswith("rank,bot,mbb_per_hand,ci95,is_first,above_next")
    assert rows[1] == "1,bot-0,100.000,5.000,,,1,10,0,0,0,,,,,,,,,,,,"
    assert len(rows) == 4
