"""arena stats --by, --all, and the tracker's numbers in JSON and CSV."""

import csv
import io
import json

import numpy as np
import pytest

from dealer.logs import stats
from engine.estimates.shares import ShareEstimate
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import says_in_a_line
from tests.oracles.tracker import count_tracked

LIMIT3 = load_builtin("limit3")
LINES = random_log(LIMIT3, 1, 120, np.random.default_rng(1), game_name="holdem.limit.3p.game")
DEEP = "STATE:{}:20000|20000:100|50:r300c/cr600f:5d5c|9hQd/8dAs8s:-300|300:Ann|Bob"
SHORT = "STATE:{}:1400|900:100|50:r300f:5d5c|9hQd:-100|100:Ann|Bob"


def run(capsys, *arguments):
    """Run the command; return exit code, stdout and stderr."""
    try:
        code = stats.main(list(arguments))
    except SystemExit as stopped:
        code = stopped.code
    out = capsys.readouterr()
    return code, out.out, out.err


@pytest.fixture
def log(tmp_path):
    """A log of three players."""
    path = tmp_path / "limit3.log"
    path.write_text("\n".join(LINES) + "\n")
    return str(path)


@pytest.fixture
def deep_and_short(tmp_path):
    """Hands with stacks of their own: two of 200 big blinds, one of 9."""
    path = tmp_path / "stakes.log"
    path.write_text("\n".join([DEEP.format(0), DEEP.format(1), SHORT.format(2)]) + "\n")
    return str(path)


def expected_of(player):
    """Return the oracle's counts of a player in all positions."""
    hands = [parse_log_line(line) for line in LINES if line.startswith("STATE")]
    found = {}
    for (name, _), counts in count_tracked(LIMIT3, hands).items():
        for what, count in counts.items() if name == player else ():
            found[what] = found.get(what, 0) + count
    return found


def test_json_has_counts_occasions_and_intervals(capsys, log):
    """Each share by the oracle's counts, with Wilson's interval; factors with that of odds."""
    code, out, _ = run(capsys, log, "--json")
    assert code == 0
    for row in json.loads(out):
        counts, tracker = expected_of(row["player"]), row["tracker"]
        for what in ("three_bet", "fold_to_three_bet", "four_bet", "squeeze", "showdown_played"):
            share = tracker[what]
            assert share["count"] == counts[what, None]
            assert share["of"] == counts[f"{what} of", None]
            found = ShareEstimate.of(share["count"], share["of"])
            assert (share["share"], share["low"], share["high"]) == pytest.approx(
                (found.value, found.low, found.high)
            )
        for number, street in enumerate(tracker["streets"].values()):
            raises, calls = counts.get(("raise", number), 0), counts.get(("call", number), 0)
            factor = street["aggression_factor"]
            assert factor["factor"] == pytest.approx(raises / calls)
            ends = ShareEstimate.of(raises, raises + calls)
            assert factor["low"] == pytest.approx(ends.low / (1 - ends.low))
            assert factor["high"] == pytest.approx(ends.high / (1 - ends.high))
            frequency = street["aggression_frequency"]
            assert frequency["of"] == raises + calls + counts.get(("fold", number), 0)
            sizes = street["bet_sizes"]
            assert {name: size["count"] for name, size in sizes.items()} == {
                name: counts.get((name, number), 0) for name in sizes
            }
            assert sum(size["count"] for size in sizes.values()) == raises
        lines = tracker["with_showdown"], tracker["without_showdown"]
        total = sum(line["mbb_per_hand"] for line in lines)
        assert total == pytest.approx(row["raw"]["mbb_per_hand"])


def test_csv_has_a_column_for_each_number(capsys, log):
    """Named after the keys of JSON, as many in each row."""
    _, out, _ = run(capsys, log, "--csv", "-", "--by", "position")
    rows = list(csv.DictReader(io.StringIO(out)))
    _, out, _ = run(capsys, log, "--json", "--by", "position")
    assert len(rows) == 12
    for row, document in zip(rows, json.loads(out), strict=True):
        assert None not in row
        cbet = document["tracker"]["streets"]["flop"]["cbet"]
        assert row["tracker_streets_flop_cbet_count"] == str(cbet["count"])
        assert float(row["tracker_streets_flop_cbet_high"]) == pytest.approx(cbet["high"])
        assert row["position"] == document["position"]
        assert row["raw_mbb_per_hand"] == str(document["raw"]["mbb_per_hand"])


def test_rows_by_depth(capsys, deep_and_short):
    """The depth is the smaller stack in big blinds; each part counts its own hands."""
    code, out, _ = run(capsys, deep_and_short, "--by", "depth", "--json", "--game", "hunl")
    assert code == 0
    ann = [row for row in json.loads(out) if row["player"] == "Ann"]
    assert [(row["depth"], row["hands"]) for row in ann] == [("", 3), ("<15", 1), ("200+", 2)]
    shares = [row["tracker"]["streets"]["flop"]["fold_to_cbet"]["of"] for row in ann]
    assert shares == [2, 0, 2]
    _, out, _ = run(capsys, deep_and_short, "--by", "depth", "--game", "hunl")
    assert [line.split()[:3] for line in out.splitlines()[:3]] == [
        ["player", "depth", "hands"],
        ["Ann", "all", "3"],
        ["<15", "1", "-1,000"],
    ]


def test_rows_by_players_and_opponent(capsys, log, deep_and_short):
    """Several kinds of rows at once, from games of two and of three."""
    by = ("--by", "players", "--by", "opponent", "--game", "hunl")
    _, out, _ = run(capsys, deep_and_short, *by)
    heads = [line.split("  ") for line in out.splitlines()]
    assert heads[0][1].strip() == "hands of"
    assert [line.split()[:3] for line in out.splitlines()[1:4]] == [
        ["Ann", "all", "3"],
        ["2", "players", "3"],
        ["Bob", "3", "-2,333"],
    ]
    _, out, _ = run(capsys, log, "--by", "opponent", "--json")
    rows = [(row["player"], row["opponent"], row["hands"]) for row in json.loads(out)]
    assert sorted(rows[:3]) == [("Ann", "", 120), ("Ann", "Bob", 120), ("Ann", "Cleo", 120)]


def test_filters_choose_what_is_counted(capsys, deep_and_short):
    """As for all that stats tells."""
    _, out, _ = run(capsys, deep_and_short, "--json", "--game", "hunl", "--street", "flop")
    (ann, _) = json.loads(out)
    assert ann["tracker"]["vpip"]["of"] == 2


def test_street_by_street(capsys, deep_and_short):
    """Streets on which nobody had a choice are left out; shares have their occasions."""
    _, out, _ = run(capsys, deep_and_short, "--by", "street", "--game", "hunl")
    table = [line.split() for line in out.splitlines()[4:]]
    assert table[0][:3] == ["player", "street", "AF"]
    assert table[1][:7] == ["Ann", "preflop", "0.00", "0.0", "%", "of", "3"]
    assert table[2] == [
        "flop", "-", "0.0", "%", "of", "2", "-", "100.0", "%", "of", "2", "0.0", "%", "of", "2",
        "0.0", "%", "of", "2", "-",
    ]  # fmt: skip
    assert table[3][:3] == ["Bob", "preflop", "-"]


def test_everything(capsys, deep_and_short):
    """Counts, occasions and intervals of all there is, then the table."""
    code, out, _ = run(capsys, deep_and_short, "--all", "--game", "hunl")
    assert code == 0
    text = " ".join(out.split())
    for line in (
        "Ann: 3 hands",
        "VPIP 66.7 % 2 3 20.8 % to 93.9 %",
        "3-bet 0.0 % 0 3 0.0 % to 56.1 %",
        "fold to c-bet, flop 100.0 % 2 2 34.2 % to 100.0 %",
        "squeeze - 0 0 -",
        "AF, preflop - 3 0 0.78 and more",
        "bets of 85-115 % of the pot, preflop 100.0 % 3 3 43.9 % to 100.0 %",
        "bets of 40-60 % of the pot, flop 100.0 % 2 2",
        "won with showdown (blue line) +0 ± ? mbb/h",
        "won without showdown (red line) -2,333 ± 2,868 mbb/h",
    ):
        assert line in text, line
    assert out.splitlines()[-1].startswith("Bob")


def test_an_unknown_part_is_one_line(capsys, log):
    """It says what there is."""
    code, out, err = run(capsys, log, "--by", "weather")
    assert (code, out) == (2, "")
    says_in_a_line(err, "--by", "weather", "depth", "opponent")
