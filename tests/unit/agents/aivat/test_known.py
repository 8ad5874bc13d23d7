"""What a match folder says of who plays in its logs."""

from __future__ import annotations

import json
import shlex

import pytest

from agents.aivat.known import check_named, known_of_matches, players_of
from agents.errors import AgentError

BOTS = [
    {"label": "b", "kind": "shipped", "words": ["always-fold"]},
    {"label": "c", "kind": "listen", "words": []},
]


@pytest.fixture
def log(tmp_path):
    """A log that is to be, in a match folder."""
    (tmp_path / "manifest.json").write_text(json.dumps({"bots": BOTS}), encoding="utf-8")
    return tmp_path / "b.c.0.0.log"


def test_the_players_of_a_log_are_those_of_its_match(log):
    """Not of hands that others played, nor where there is no match."""
    assert players_of(log) == {"b", "c"}
    assert players_of(log.with_name("sit-in.log")) is None
    assert players_of(log.parent / "elsewhere" / log.name) is None
    assert known_of_matches([log]) == {"b": "always-fold"}


def test_the_players_of_hands_of_others_are_those_of_their_log(log):
    """Under the same names there may be other bots."""
    others = log.with_name("sit-in.log")
    assert known_of_matches([others]) == {}
    bots = [{"label": "b", "kind": "shipped", "words": ["always-call"]}]
    text = json.dumps({"bots": BOTS, "sit_in": {"bots": bots}})
    (log.parent / "manifest.json").write_text(text, encoding="utf-8")
    assert known_of_matches([others]) == {"b": "always-call"}
    assert known_of_matches([log]) == {"b": "always-fold"}
    with pytest.raises(AgentError, match=r"^b .*always-fold.*always-call"):
        known_of_matches([log, others])


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("libratus --iterations 20", "libratus --iterations 20"),
        ("libratus-fast", None),
        ("libratus --seconds 1", None),
        ("libratus --iterations 20 --shake 0.1", None),
        ("blueprint", "blueprint"),
        ("O5", "O5"),
        ("O6", None),
        ("cnn", None),
        ("blueprint --log 'a b' --purify 1", "blueprint --purify 1"),
        ("blueprint --log=a --purify 1", "blueprint --purify 1"),
    ],
)
def test_who_plays_by_a_clock_or_shakes_is_not_known(log, words, known):
    """Nor who takes long to tell; a bot's log changes nothing."""
    bots = [{"label": "b", "kind": "shipped", "words": shlex.split(words)}]
    (log.parent / "manifest.json").write_text(json.dumps({"bots": bots}), encoding="utf-8")
    assert known_of_matches([log]) == ({"b": known} if known else {})


@pytest.mark.parametrize("text", ["", "[]", "3", '{"bots": 3}', '{"bots": [{"label": 1}]}'])
def test_a_damaged_manifest_is_one_line(log, text):
    """That names it."""
    (log.parent / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(AgentError, match=r"manifest\.json: cannot be read"):
        players_of(log)


def test_a_name_that_nobody_has_is_refused(tmp_path):
    """Names may come up anywhere in the logs; a mistake in spelling must not pass for knowing."""
    logs = [tmp_path / "one.log", tmp_path / "two.log"]
    logs[0].write_text("# of 1:2:Eve\nSTATE:0:f:|:1|-1:Ann|Bob\nSTATE:1:f:|:1|-1:Bob|Cid\n")
    logs[1].write_text("STATE:0:f:|:1|-1:Bob|Dan\nSCORE:1|-1:Bob|Fay\n")
    check_named(["Ann", "Cid", "Dan"], logs)
    with pytest.raises(AgentError, match=r"Eve, Fay: .*Ann, Bob, Cid, Dan$"):
        check_named(["Fay", "Ann", "Eve"], logs)
