"""Game definitions: the original's verdicts on recorded files, except where we mend it.

`mends.json` names the cases in which we differ on purpose, with the number of the mend.
"""

import json
from pathlib import Path

import pytest

from protocol.errors import GameDefError
from protocol.gamedef import format_gamedef, parse_gamedef
from protocol.gamedefs import builtin_names, load_builtin

MENDS = json.loads(Path(__file__).with_name("mends.json").read_text(encoding="utf-8"))["gamedef"]

# What the mended cases give here: a word of the refusal, or None for an accepted game.
MENDED_TO = {
    "players_neg": "invalid number of players: -254",
    "blind_negative": "blind for player 2 is negative",
    "max_raises_300": "invalid maximum number of raises 300",
    "stack_missing_5p": None,
    "raise_five_limit": "read 5 raise sizes",
    "board_8_total": "too many board cards: 8",
    "deck_exact": "too many board cards: 8",
}


@pytest.fixture(scope="module")
def cases(shared_data):
    """The recorded cases by id."""
    lines = (shared_data / "golden" / "gamedef_cases.jsonl").read_text(encoding="utf-8")
    return {case["id"]: case for case in map(json.loads, lines.splitlines())}


def our_verdict(case):
    """(canonical text, failure text) as the original's recorder has them."""
    try:
        return format_gamedef(parse_gamedef(case["text"])), ""
    except GameDefError as error:
        return "", error.message + "\n"


def test_every_case_ends_like_the_original(cases):
    """Same canonical form, same failure text, for all cases but the mended ones."""
    assert len(cases) == 54
    different = []
    for name, case in cases.items():
        canonical = case["canonical"].partition("# raw")[0]
        if name not in MENDS and our_verdict(case) != (canonical, case["stderr"]):
            different.append(name)
    assert not different


def test_mended_cases_differ_as_documented(cases):
    """Each mend is still needed, and gives what it should."""
    assert set(MENDS) == set(MENDED_TO)
    assert set(MENDS.values()) <= {6, 8}
    for name, words in MENDED_TO.items():
        canonical, failure = our_verdict(cases[name])
        assert cases[name]["ok"] == (words is not None), name
        assert bool(canonical) == (words is None), name
        assert (words or "") in failure, name


OURS = {
    "leduc.limit.3p",
    "fixed-queen.limit.2p",
    "holdem.nolimit.2p.pokerbots",
    "holdem.nolimit.6p.10000",
}


def test_packaged_games_are_the_originals(shared_data):
    """The eight standard games are those of the recordings, name by name; four more are ours."""
    published = (shared_data / "pluribus" / "holdem.nolimit.6p.10000.game").read_bytes()
    assert load_builtin("nolimit6-10000") == parse_gamedef(published)
    for name in sorted(set(builtin_names()) - OURS):
        recorded = (shared_data / "golden" / "games" / f"{name}.game").read_bytes()
        assert load_builtin(name) == parse_gamedef(recorded), name


def test_odd_games_can_be_read(shared_data):
    """All but the one with eight board cards."""
    refused = []
    for path in sorted((shared_data / "golden" / "games" / "extra").glob("*.game")):
        try:
            parse_gamedef(path.read_bytes())
        except GameDefError:
            refused.append(path.name)
    assert refused == ["board8.nolimit.2p.game"]
