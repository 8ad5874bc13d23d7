"""`arena equity`."""

import pytest

from engine.commands import equity as equity_command
from engine.commands.equity import main
from engine.errors import ArtifactMismatch


def lines_of(words, capsys):
    """What a command line prints, as lines."""
    assert main(words.split()) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def test_hand_against_range_on_the_flop(capsys):
    """Exact: share of the pot, wins, ties and losses of both."""
    assert lines_of("AhKh QQ+,AKs --board Ts9s2d", capsys) == [
        "on Ts9s2d; exact, 990 boards for each pair of hands",
        "          equity      win      tie     lose",
        "AhKh     20.83 %  12.20 %  17.27 %  70.53 %",
        "QQ+,AKs  79.17 %  70.53 %  17.27 %  12.20 %",
    ]


@pytest.mark.parametrize(
    ("words", "first", "equities"),
    [
        ("AA", "before the flop; exact, 1,712,304 boards for each pair of hands", "85.20 14.80"),
        ("AsAd KsKd 7h6h", "before the flop; exact, 1,370,754 boards", "61.22 15.77 23.00"),
        ("AsAd KsKd --board 2c3c4h5h9s", "on 2c3c4h5h9s; exact, 1 board", "100.00 0.00"),
        ("AA KK --samples 100", "before the flop; 100 random deals, seed 0", None),
        ("ahkh QQ --board ts9S2D", "on Ts9s2d; exact, 990 boards for each pair of hands", None),
    ],
)
def test_what_was_counted_is_told(words, first, equities, capsys):
    """Against a random hand where one is alone; known hands exactly, however many; samples."""
    lines = lines_of(words, capsys)
    assert lines[0] == first
    if equities is not None:
        assert [line.split()[1] for line in lines[2:]] == equities.split()


def test_many_ranges_are_sampled(capsys):
    """With the half width of the 95 % interval; the same seed gives the same."""
    words = "AA KK,QQ 76s+ --samples 20000 --seed 1"
    lines = lines_of(words, capsys)
    assert lines[0] == "before the flop; 20,000 random deals, seed 1"
    assert lines[1].split() == ["equity", "±", "win", "tie", "lose"]
    share, half_width = (float(word) for word in lines[2].split()[1:5:2])
    assert 0.3 < half_width < 1
    assert abs(share - 61.46) < 2 * half_width
    assert lines_of(words, capsys) == lines


def test_potential_on_the_flop(capsys):
    """For the next card and for both that are to come."""
    lines = lines_of("AdQc --board 3h4cJh --potential", capsys)
    assert lines[4:] == [
        "potential of AdQc:",
        "               HS    PPot    NPot     EHS    EHS'",
        "next card  0.5851  0.1083  0.1454  0.5450  0.6300",
        "two cards  0.5851  0.2083  0.2737  0.5114  0.6715",
    ]


def test_potential_on_the_turn_is_one_card_ahead(capsys):
    """There are not two."""
    lines = lines_of("AdQc KK,22+ --board 3h4cJh2c --potential", capsys)
    assert [line.split()[0] for line in lines[4:]] == ["potential", "HS", "next"]


@pytest.mark.parametrize(
    ("words", "corner", "first", "last"),
    [
        ("--preflop", "A K", "A 85.2 67.0", "33.2 32.3 50.3"),
        ("--preflop equity", "A K", "A 85.2 67.0", "33.2 32.3 50.3"),
        ("--preflop sklansky", "A K", "A 1 1 2 2 3 5", "9 9 7"),
        ("--preflop chen", "A K", "A 20 12 11 10", "2 3 5"),
    ],
)
def test_charts_of_starting_hands(words, corner, first, last, capsys):
    """Thirteen by thirteen, suited hands above the diagonal."""
    rows = [" ".join(line.split()) for line in lines_of(words, capsys)]
    assert len(rows) == 14
    assert {len(row.split()) for row in rows[1:]} == {14}
    assert rows[0].startswith(corner)
    assert rows[1].startswith(first)
    assert rows[-1].endswith(last)


def test_starting_hands_that_are_named(capsys):
    """By name, by cards, and all of a range; with the share of combos that are worse."""
    assert lines_of("--preflop sklansky QQ+ Ks2d", capsys) == [
        "     sklansky  percentile",
        "AA          1      98.9 %",
        "KK          1      98.9 %",
        "QQ          1      98.9 %",
        "K2o         9      29.1 %",
    ]
    assert lines_of("JTs --preflop chen", capsys)[1].split()[:2] == ["JTs", "9"]
    assert lines_of("--preflop equity AA", capsys)[1].split()[:2] == ["AA", "85.2"]


def test_long_ranges_are_cut_in_the_table(capsys):
    """They do not make it wider than a screen."""
    text = ",".join(f"{rank}{rank}" for rank in "AKQJT98765432")
    assert len(text) <= 40
    (line,) = [line for line in lines_of(f"AKs {text},AKs,AKo", capsys) if "AA" in line]
    assert line.startswith("AA,KK,QQ,JJ,TT,99,88,77,66,55,44,33,2...  ")


def test_damaged_table_is_no_fault_of_the_user(monkeypatch, capsys):
    """Exit code 1."""

    def fail(*_):
        raise ArtifactMismatch("preflop counts: damaged")

    monkeypatch.setattr(equity_command, "_equities", fail)
    assert main(["AA"]) == 1
    assert capsys.readouterr().err == "arena equity: preflop counts: damaged\n"
