"""Standings from logs and ledger: who comes first where bots broke off, or have not played."""

import csv
import io
import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dealer.bots.participants import BotKind, ExploitabilityBound, Participant
from dealer.results.deciding import TopDecider
from dealer.results.standing import standings
from dealer.results.standing_files import ranking_csv, standing_csv, standing_facts, standing_page
from dealer.results.standing_text import bracket_rows, standing_text, winner_line
from dealer.series.ledger import LegEntry, TournamentLedger, digest_of_log
from dealer.series.manifest import Manifest
from dealer.series.schedule import TournamentStyle
from dealer.series.series import Series
from dealer.server.endings import Ending
from protocol.gamedefs import builtin_path
from tests.helpers.said import says, says_in_a_line


@pytest.fixture
def played(tmp_path):
    """Return a function that makes the standings of a tournament whose legs are given.

    A leg is what its pairing's first bot won hand by hand, and who forfeited it.
    """

    def make(labels, legs, style=TournamentStyle.ROUND_ROBIN, challengers=1):
        path = builtin_path("hunl")
        text = path.read_text(encoding="utf-8")
        bots = tuple(Participant(label, BotKind.LISTEN, ()) for label in labels)
        facts = bots, path.name, text, 4, 7, 1, True, (), str(tmp_path)
        tournament = Manifest(*facts, style=style, challengers=challengers)
        ledger = TournamentLedger(tmp_path / "ledger.jsonl", tournament.digest)
        for leg, (won, bot) in legs.items():
            one, other, _, second = leg.split(".")
            log = tmp_path / "pairings" / f"{one}.{other}" / f"{leg}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            lines = []
            for hand, chips in enumerate(won):
                told = [(chips, one), (-chips, other)][:: 1 if (hand + int(second)) % 2 else -1]
                values, names = ("|".join(map(str, each)) for each in zip(*told, strict=True))
                lines.append(f"STATE:{hand}:rf:3d2d|AcKc:{values}:{names}\n")
            log.write_text("# a log\n" + "".join(lines), encoding="utf-8")
            ending = Ending.FINISHED if bot is None else Ending.CRASH
            digest = digest_of_log(log)
            ledger.add(LegEntry(f"{one}.{other}", leg, len(won), ending, bot, {}, digest))
        queue = Series(tournament, tmp_path, -1, None, ledger=ledger)
        found = standings(queue, lambda _: None)
        return SimpleNamespace(tournament=tournament, queue=queue, found=found)

    return make


CRASHED_AHEAD = {
    "A.B.0.0": ([100, -50, 100, 100], None),
    "A.B.0.1": ([100, 50, -100, 100], None),
    "A.C.0.0": ([-900, -300], "C"),
    "A.C.0.1": ([-800, -200], "C"),
    "A.D.0.0": ([], "D"),
    "A.D.0.1": ([], "D"),
    "B.C.0.0": ([-900, -500], "C"),
    "B.C.0.1": ([-900, -400], "C"),
}
"""C crashes while it is far ahead, D at once; B has not met D yet, nor C."""


def test_who_breaks_off_while_ahead_is_behind_who_does_not(played):
    """In both ranks; and behind all who played is who has played no hand."""
    found = played("ABCD", CRASHED_AHEAD).found
    assert [bot.forfeits for bot in found.bots] == [0, 0, 4, 2]
    assert found.bots[2].bankroll > 0 > found.bots[0].bankroll
    assert [bot.rank for bot in found.bots] == [1, 2, 3, 4]
    assert [bot.run_off_rank for bot in found.bots] == [1, 2, 3, 4]
    assert found.pairings[1].forfeits == (0, 2)


def test_what_is_not_known_is_left_open(played):
    """In text, CSV and JSON alike, and on the page; no Nash average before all have met."""
    done = played("ABCD", CRASHED_AHEAD)
    found = done.found
    shares = {bot.label: (first, above) for bot, first, above in found.ranking()}
    assert shares["B"][1] == 1.0
    assert shares["C"] == (0.0, None)
    assert shares["D"] == (None, None)
    last = next(
        csv.DictReader(
            io.StringIO(ranking_csv(found).splitlines()[0] + "\n4,D,,,,,4,0,2,0,0,,,,,1,4,1,4,,,,")
        )
    )
    assert list(csv.DictReader(io.StringIO(ranking_csv(found))))[-1] == last
    rows = {(row["bot"], row["opponent"]): row for row in csv.DictReader(_csv(found))}
    assert rows["A", "D"]["mbb_per_hand"] == rows["A", "D"]["ci95"] == ""
    assert float(rows["A", "C"]["mbb_per_hand"]) == pytest.approx(-5500)
    facts = standing_facts(done.tournament, found)
    document = json.dumps(facts, allow_nan=False)
    assert facts["bots"][3]["rank_shares"] is facts["bots"][3]["above"] is None
    assert facts["bots"][0]["above"][3] is None
    assert facts["winner"] is None
    assert {bot["nash"] for bot in facts["bots"]} == {found.nash} == {None}
    page = standing_page(done.tournament, found, document)
    text = standing_text(done.tournament, found)
    assert "nan" not in page
    assert "nan" not in text
    assert "Nash" not in text
    says(text, "more forfeited legs rank lower")


def _csv(found):
    return io.StringIO(standing_csv(found))


@pytest.mark.filterwarnings("error")
def test_before_the_first_hand_nothing_is_known(played):
    """Nor computed: no interval overflows."""
    done = played("ABC", {})
    assert [bot.ci95 for bot in done.found.bots] == [math.inf] * 3
    assert [bot.rank for bot in done.found.bots] == [1, 2, 3]
    says_in_a_line(standing_text(done.tournament, done.found), "no hand is in the logs")


def test_two_equal_bots_are_first_equally_often(played):
    """A few results that are all alike have no interval."""
    legs = {"A.B.0.0": ([100] * 4, None), "A.B.0.1": ([-100] * 4, None)}
    done = played("AB", legs)
    assert [first for _, first, _ in done.found.ranking()] == [0.5, 0.5]
    assert done.found.bootstrap.run_off_ranks == pytest.approx(0.5)
    text = standing_text(done.tournament, done.found)
    assert "+0 ± ?" in text
    assert "± 0 " not in text
    says(text, "± ?:", "too few sets")
    assert [row["ci95"] for row in csv.DictReader(_csv(done.found))] == [""]


def test_with_one_opponent_the_interval_is_that_of_the_cell(played):
    """Each deal is a block."""
    legs = {"A.B.0.0": ([900, -50, 30, 100], None), "A.B.0.1": ([100, 50, -700, 100], None)}
    found = played("AB", legs).found
    assert found.bots[0].ci95 == pytest.approx(found.pairings[0].ci95)
    assert found.bots[0].ci95 == found.bots[1].ci95


CYCLE = {
    "A.B.0.0": ([100, 100, 100, 100], None),
    "A.B.0.1": ([100, 100, 100, 100], None),
    "A.C.0.0": ([-50, -50, -50, -50], None),
    "A.C.0.1": ([-50, -50, -50, -50], None),
    "B.C.0.0": ([900, 900, 900, 900], None),
    "B.C.0.1": ([900, 900, 900, 900], None),
}
"""Each beats one; B wins most, and counts least in the mixture that nobody beats."""


def test_the_nash_average_is_shown_wherever_standings_are(played):
    """With pairwise wins; the text says which question each rank answers."""
    done = played("ABC", CYCLE)
    found = done.found
    assert [bot.label for bot in found.ranked()] == ["B", "A", "C"]
    assert found.nash.shares == pytest.approx([900 / 1050, 50 / 1050, 100 / 1050], abs=1e-4)
    text = standing_text(done.tournament, found)
    assert [row.split("1-1")[1].split()[0] for row in text.splitlines()[3:6]] == ["1"] * 3
    assert "85.7 %" in text
    says(text, "who wins most from this field", "the mixture that no bot beats")
    facts = standing_facts(done.tournament, found)
    rows = {row["bot"]: row for row in csv.DictReader(io.StringIO(ranking_csv(found)))}
    for bot in facts["bots"]:
        row = rows[bot["label"]]
        assert (bot["wins"], bot["losses"]) == (int(row["wins"]), int(row["losses"])) == (1, 1)
        assert bot["nash"]["share"] == pytest.approx(float(row["nash_share"]), abs=1e-4)
        assert bot["nash"]["mbb_per_hand"] == pytest.approx(0, abs=0.1)


def test_ranks_are_ranges_and_what_beats_a_bot_stands_beside(played):
    """In all files; cycles of significant wins are listed, surest first."""
    done = played("ABC", CYCLE)
    cells = tuple(cell._replace(decided=True) for cell in done.found.cells)
    bound = ExploitabilityBound(1789.0, 146.0, "river best response", "docs/blueprint.md")
    found = replace(done.found, cells=cells, bounds={"B": bound})
    text = standing_text(done.tournament, found)
    says(text, "A > B > C > A", "B: river best response (docs/blueprint.md)")
    assert "+1,789 ± 146" in text.splitlines()[3]
    assert text.splitlines()[3].startswith("1-3 ")  # so few sets that are alike say nothing
    facts = standing_facts(done.tournament, found)
    assert facts["cycles"] == [["A", "B", "C"]]
    assert facts["bots"][1]["places95"] == {"bankroll": (1, 3), "run_off": (1, 3), "nash": (1, 1)}
    assert facts["bots"][1]["exploitable_by"]["mbb_per_hand"] == 1789
    tiny = replace(found.nash, low=np.full(3, -0.07), high=np.full(3, -0.07))
    says(standing_text(done.tournament, replace(found, nash=tiny)), "+0 (+0 to +0)")
    rows = {row["bot"]: row for row in csv.DictReader(io.StringIO(ranking_csv(found)))}
    assert [rows["B"][end] for end in ("rank_best", "rank_worst", "nash_worst")] == ["1", "3", "1"]
    assert (rows["B"]["exploitable_by"], rows["A"]["exploitable_by"]) == ("1789.0", "")
    says(standing_page(done.tournament, found, json.dumps(facts)), "A &gt; B &gt; C &gt; A")


CLOSE = {
    "A.B.0.0": ([100, -90, 80, -100], None),
    "A.B.0.1": ([100, -120, 90, -50], None),
    "A.C.0.0": ([500, 500, 500, 500], None),
    "A.C.0.1": ([500, 500, 500, 500], None),
    "B.C.0.0": ([500, 500, 500, 500], None),
    "B.C.0.1": ([500, 500, 500, 500], None),
}
"""A and B are both far above C."""


def test_pairings_play_on_where_the_first_place_hangs(played):
    """Only one does; a queue of the same ledger goes on with it, and the standings count it."""
    done = played("ABC", CLOSE)
    said = []
    decider = TopDecider(1, 24, said.append)
    pairings = done.queue.pairings()
    assert decider(done.queue) == decider(done.queue) == {pairings[0]: 4}
    says(said[0], "first place open", "A (1-2)", "more deals for A.B")
    ledger = done.queue.ledger
    queue = Series(done.tournament, ledger.path.parent, -1, None, ledger=ledger)
    queue.longer = decider
    assert [leg.name for leg in queue._more()] == [
        f"A.B.{run}.{at}" for run in (1, 2, 3) for at in (0, 1)
    ]
    digest = done.tournament.digest
    killed = Series(
        *(done.tournament, ledger.path.parent, -1, None),
        ledger=TournamentLedger(ledger.path, digest),
    )
    assert killed.rounds(pairings[0]) == 4
    assert (killed.leg_count, killed.extra_rounds) == (12, 3)
    assert next(killed._more()).name == "A.B.1.0"
    assert killed.extra_hands == decider.document(killed, decider.look(killed)[1])["hands"] == 0
    found = standings(killed, lambda _: None)
    assert found.legs_planned == 12
    told = "some pairings played more deals"
    page = standing_page(done.tournament, found, "{}")
    says(standing_text(done.tournament, found), told)
    says(page, told, "at least 1 x 2 legs of 4 hands")
    assert told not in standing_text(done.tournament, done.found)
    assert "at least" not in standing_page(done.tournament, done.found, "{}")
    assert decider(killed) == {}  # all 24 hands are given out


KNOCKOUT = {
    "A.D.0.0": ([-100, -100, -100, -100], None),
    "A.D.0.1": ([-100, -100, -100, -100], None),
    "B.C.0.0": ([900], "B"),
    "B.C.0.1": ([900], "B"),
    "C.D.0.0": ([300] * 4, None),
    "C.D.0.1": ([-100] * 4, None),
}


def test_a_knockout_tells_its_rounds_and_its_winner(played):
    """Winner first, with what decided; nothing of shares that are of bankrolls."""
    done = played("ABCD", KNOCKOUT, TournamentStyle.KNOCKOUT)
    found = done.found
    assert winner_line(found) == "winner: C"
    assert [row[:3] for row in bracket_rows(found)[1:]] == [
        ["1", "D", "A"],
        ["1", "C", "B"],
        ["final", "C", "D"],
    ]
    assert [row[3].split(" ±")[0] for row in bracket_rows(found)[1:]] == [
        "+1,000",
        "forfeited legs, 0 to 2",
        "+1,000",
    ]
    assert [bot.label for bot in found.ranked()] == ["C", "D", "A", "B"]
    facts = standing_facts(done.tournament, found)
    assert (facts["winner"], facts["bots"][0]["rank_shares"]) == ("C", None)
    page = standing_page(done.tournament, found, json.dumps(facts, allow_nan=False))
    for shown in (standing_text(done.tournament, found), page):
        says(shown, "rank:", "how far")
        assert "winner: C" in shown
        assert "is first" not in shown
        assert "above next" not in shown
        assert "run-off" not in shown


def test_of_bots_that_won_the_same_the_one_seeded_highest_goes_on(played):
    """In forfeited legs, sets and hands alike."""
    legs = {"A.B.0.0": ([100] * 4, None), "A.B.0.1": ([-100] * 4, None)}
    assert winner_line(played("AB", legs, TournamentStyle.KNOCKOUT).found) == "winner: A"


def test_a_knockout_that_is_not_over_has_no_winner(played):
    """Bots that wait a round are told; nobody has to have played."""
    done = played("ABC", {"B.C.0.0": ([], "B")}, TournamentStyle.KNOCKOUT)
    says(winner_line(done.found), "winner:", "not known")
    assert bracket_rows(done.found)[1:] == [
        ["1", "B or C", "-", "not over"],
        ["1", "A", "-", "waits a round"],
    ]
    assert "B or C" in standing_text(done.tournament, done.found)


GAUNTLET = {
    "A.C.0.0": ([100, 50, -50, 200], None),
    "A.C.0.1": ([100, 150, 50, 0], None),
    "A.D.0.0": ([100, 100, 100, 100], None),
    "A.D.0.1": ([100, 100, 100, 100], None),
    "B.C.0.0": ([50, 0, -100, 150], None),
    "B.C.0.1": ([50, 100, 0, -50], None),
    "B.D.0.0": ([50, 50, 50, 50], None),
    "B.D.0.1": ([50, 50, 50, 50], "D"),
}
"""A wins 50 chips a hand more than B, in every deal and from both."""


def test_challengers_are_ranked_among_themselves_and_compared_by_deal(played):
    """The interval is that of the difference; the opponents have no rank in any of the files."""
    done = played("ABCD", GAUNTLET, TournamentStyle.GAUNTLET, challengers=2)
    found = done.found
    assert [bot.label for bot in found.ranked()][:2] == ["A", "B"]
    assert [bot.forfeits for bot in found.bots] == [0, 0, 0, 1]
    [gap] = found.gaps
    assert (gap.challenger, gap.rival, gap.opponents, gap.rate.samples) == ("A", "B", 2, 4)
    assert gap.rate.mbb_per_hand == pytest.approx(500)
    assert gap.rate.ci95 == math.inf  # four that are all alike
    text = standing_text(done.tournament, found)
    says(text, "A - B: +500 ± ? mbb/h over 4 deals and 2 opponents; none from 4 duplicate sets")
    says(text, "challengers alone are ranked")
    ranks = {row["bot"]: row["rank"] for row in csv.DictReader(io.StringIO(ranking_csv(found)))}
    assert (ranks["A"], ranks["B"], ranks["C"], ranks["D"]) == ("1", "2", "", "")
    facts = standing_facts(done.tournament, found)
    assert [bot["rank"] for bot in facts["bots"]] == [1, 2, None, None]
    [told] = facts["challengers"]
    assert (told["challenger"], told["deals"], told["verdict"]["decided"]) == ("A", 4, False)
    says(standing_page(done.tournament, found, json.dumps(facts)), "A - B: +500 ± ? mbb/h")
