"""Values rewritten by the original all-in expectation tool, to the printed digit."""

import pytest

from engine.equity.allin import allin_expectation, closing_street, is_allin_before_last_street
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedef import parse_gamedef

GAMES = {
    "2p.limit": "holdem.limit.2p.reverse_blinds",
    "2p.nolimit": "holdem.nolimit.2p.reverse_blinds",
    "3p.limit": "holdem.limit.3p",
    "3p.nolimit": "holdem.nolimit.3p",
}


def check(shared_data, name, most):
    """Compare the first `most` hands; return how many of them were all-in early."""
    game = parse_gamedef((shared_data / f"golden/games/{GAMES[name]}.game").read_bytes())
    logs = shared_data / "dealer_logs"
    before, after = (
        [
            line.split(":")
            for line in (logs / f"{name}.h1000.r0{kind}.log").read_text().splitlines()
            if line.startswith("STATE")
        ][:most]
        for kind in ("", ".allin_ev")
    )
    early = 0
    for (_, _, betting, cards, values, _), (*_, rewritten, _) in zip(before, after, strict=True):
        state = replay_betting(game, betting)
        if not is_allin_before_last_street(state):
            assert rewritten == values
            continue
        holes, *board = cards.split("/")
        known = parse_cards("".join(board))[: game.board_seen(closing_street(state))]
        mean = allin_expectation(
            game, state.spent, state.folded, [parse_cards(h) for h in holes.split("|")], known
        )
        assert "|".join(f"{value:.6f}" for value in mean) == rewritten
        early += 1
    return early


@pytest.mark.parametrize(("name", "early"), [("2p.limit", 0), ("3p.limit", 0)])
def test_limit_matches_have_no_early_allin(shared_data, name, early):
    """Without all-ins every value is copied."""
    assert check(shared_data, name, 1000) == early


@pytest.mark.parametrize(
    ("name", "most", "early"), [("2p.nolimit", 300, 137), ("3p.nolimit", 100, 81)]
)
def test_no_limit_matches_have_the_recorded_means(shared_data, name, most, early):
    """Heads-up and three-handed hands with folded cards and side pots."""
    assert check(shared_data, name, most) == early


@pytest.mark.slow
@pytest.mark.parametrize(("name", "early"), [("2p.nolimit", 444), ("3p.nolimit", 792)])
def test_whole_no_limit_matches_have_the_recorded_means(shared_data, name, early):
    """All 1000 hands of both matches."""
    assert check(shared_data, name, 1000) == early
