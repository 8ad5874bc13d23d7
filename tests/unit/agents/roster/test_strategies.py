"""Strategies as command lines name them."""

import pytest

from agents.blueprint.versus import Versus
from agents.errors import GameNotPlayed, UnknownAgent
from agents.roster.strategies import match_of, read_strategy, seat
from engine.evaluation.exact_match import ExactMatch
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import random_model, tiny_config

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder with models."""
    folder = tmp_path_factory.mktemp("models")
    for name in ("hunl", "small bets", "hulhe"):
        random_model(tiny_config(name), seed=4).save(folder / f"{name.split()[0]}.model")
    return folder


@pytest.fixture
def folder(models, monkeypatch):
    """The same as the current one."""
    monkeypatch.chdir(models)


PLAIN = {"threshold": 0.0, "purify": 0.0, "alone": 0.5, "renew": 0.0}


@pytest.mark.parametrize(
    ("text", "agent", "options", "game"),
    [
        ("x.model", "blueprint", {"model": "x.model"}, None),
        ("x.model,purify", "blueprint", {"model": "x.model", "purify": 1.0}, None),
        ("x.file,threshold=0.1", "blueprint", {"model": "x.file", "threshold": 0.1}, None),
        ("hunl", "blueprint", {}, "hunl"),
        ("hulhe,purify", "blueprint", {"purify": 1.0}, "hulhe"),
        ("blueprint", "blueprint", PLAIN | {"model": None}, None),
        (
            "blueprint --model x --purify 1",
            "blueprint",
            PLAIN | {"model": "x", "purify": 1.0},
            None,
        ),
        ("script:C,300f", None, {}, None),
    ],
)
def test_what_a_text_names(text, agent, options, game):
    """A bot with options, a file with them, a game's own, a script."""
    found = read_strategy(text)
    assert (found.text, found.agent, dict(found.options)) == (text, agent, options)
    assert found.game == game
    assert (found.script is None) == (agent is not None)


def test_a_file_comes_before_a_bot_or_game_of_its_name(tmp_path, monkeypatch):
    """As it always was."""
    monkeypatch.chdir(tmp_path)
    for name in ("hunl", "blueprint"):
        (tmp_path / name).touch()
        assert read_strategy(name).options == {"model": name}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rule", "'rule' tells no strategy (arena match plays it); there is always-call, "),
        ("blueprint --speed 1", "blueprint: unrecognized arguments"),
        ("x,pure", "x,pure: 'pure' is neither purify nor threshold=P"),
        ("x,threshold=nan", "threshold nan: want a probability"),
        (",purify", "',purify': want a bot, a model's file, the name of its game or a script"),
        ("script:", "a script on a street '': want C, F or a size"),
        ("script:300x", "a script on a street '300x': want C, F or a size"),
    ],
)
def test_wrong_texts_are_told(text, why):
    """In one line."""
    with pytest.raises(UnknownAgent) as caught:
        read_strategy(text)
    assert str(caught.value).startswith(why)


def test_the_game_follows_from_who_plays(folder):
    """From the first model that is named, unless it is told."""
    for texts, told, want in (
        (("script:C", "hulhe.model"), None, HULHE),
        (("hulhe.model", "hulhe.model,purify"), None, HULHE),
        (("script:C", "script:a"), None, HUNL),
        (("script:C", "script:a"), HULHE, HULHE),
        (("small.model", "hunl.model"), None, HUNL),
    ):
        game, players = seat([read_strategy(text) for text in texts], told)
        assert game == want
        assert [player.text for player in players] == list(texts)


@pytest.mark.parametrize(
    ("texts", "told", "why"),
    [
        (("hunl.model", "hulhe.model"), None, "hulhe.model plays limit for 2 players"),
        (("hunl.model", "hulhe"), None, "hulhe plays limit for 2 players"),
        (("script:a", "hunl.model"), HULHE, "hunl.model plays no-limit for 2 players"),
        (("script:a", "script:C"), load_builtin("kuhn"), "want hold'em for two"),
    ],
)
def test_other_games_are_refused(folder, texts, told, why):
    """The message says whose game it is."""
    with pytest.raises(GameNotPlayed, match=why):
        seat([read_strategy(text) for text in texts], told)


def test_blueprints_of_the_same_bets_are_compared_the_fast_way(folder):
    """Others, and scripts, by the way that does for any two."""
    texts = ("hunl.model", "hunl.model,threshold=0.2", "small.model", "script:a")
    _, players = seat([read_strategy(text) for text in texts], None)
    kinds = [type(match_of(HUNL, players[0], other)) for other in players]
    assert kinds == [Versus, Versus, ExactMatch, ExactMatch]
