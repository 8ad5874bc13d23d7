"""Configs of blueprints: what is in a file, and what is wrong with it."""

import json
from dataclasses import replace

import pytest

from agents.blueprint_model.config import (
    CONFIGS,
    config_names,
    config_of_facts,
    load_config,
    parse_config,
)
from agents.blueprint_model.model import tree_of
from agents.errors import ConfigError
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import tiny_config
from tests.helpers.said import refused

HUNL = 'game = "hunl"\n[cards]\n'
BETS = '[bets]\npreflop = ["100", "a"]\n'
LEDUC = 'game = "leduc"\n'

WRONG = {
    "": "game is missing",
    "game = 3": "game: want a text",
    'game = "chess"': "no built-in game 'chess'",
    'game = "limit3"': "game: limit3 is for 3 players, want two",
    LEDUC + "summary = 3": "summary: want a text",
    LEDUC + "speed = 3": "the file: 'speed' is unknown; there are game, stack, seed",
    LEDUC + "seed = -1": "seed: want a whole number, 0 or more",
    LEDUC + "seed = 1.0": "seed: want a whole number, 0 or more",
    LEDUC + "stack = 100": "stack: it is for no-limit games only",
    "stack = 1\n" + HUNL + BETS: "stack: want 2 to 10000 big blinds, not 1",
    "stack = 10001\n" + HUNL + BETS: "stack: want 2 to 10000 big blinds, not 10001",
    "stack = 50.0\n" + HUNL + BETS: "stack: want a whole number, 0 or more",
    LEDUC + "cards = 3": "cards: buckets are for hold'em only",
    LEDUC + "[cards]": "cards: buckets are for hold'em only",
    LEDUC + '[bets]\npreflop = ["100"]': "bets: a limit game has sizes of its own",
    LEDUC + "bets = 3": "bets: want a table of streets",
    LEDUC + "training = 3": "training: want a table",
    LEDUC + "[training]\nrounds = 3": "training: 'rounds' is unknown; there are period",
    LEDUC + '[training]\nperiod = "many"': "training: period: want a whole number, not 'many'",
    LEDUC + "[training]\nperiod = true": "training: period: want a whole number, not True",
    LEDUC + "[training]\nperiod = 1.5": "training: period: want a whole number, not 1.5",
    LEDUC + "[training]\nperiod = 0": "training: period and workers must be at least 1",
    LEDUC + "[training]\nperiods = 0": "training: 0 periods",
    LEDUC + '[training]\nfloor = "low"': "training: floor: want a number, not 'low'",
    LEDUC + "[training]\nfloor = true": "training: floor: want a number, not True",
    LEDUC + "[training]\nfloor = nan": "training: floor: want a number, not nan",
    LEDUC + "[training]\nfloor = 1": "training: a floor of 1 chips",
    LEDUC + "[training]\nprune_below = 5.0": "training: pruning: threshold 5.0",
    LEDUC + "[training]\nprune_below = -1\nprune_least = 2.0": "training: pruning: least 2.0",
    HUNL.removesuffix("[cards]\n") + BETS: "cards: hold'em needs a table of buckets",
    HUNL: "bets: preflop is missing",
    HUNL + "[bets]\npreflop = []": "bets: preflop: want a list of texts such as",
    HUNL + '[bets]\npreflop = "100"': "bets: preflop: want a list of texts such as",
    HUNL + "[bets]\npreflop = [100]": "bets: preflop: want a list of texts such as",
    HUNL + '[bets]\npreflop = ["0"]': "bets: bet size '0'",
    HUNL + f'[bets]\npreflop = ["{",".join(map(str, range(1, 52)))}"]': "bets: 51 sizes of a raise",
    HUNL + '[bets]\npreflop = ["-50"]': "bets: bet size '-50'",
    HUNL + '[bets]\npreflop = ["nan"]': "bets: bet size 'nan'",
    HUNL + '[bets]\npreflop = ["pot"]': "bets: bet size 'pot'",
    HUNL + BETS + 'last = ["100"]': "bets: 'last' is unknown; there are preflop, flop, turn, river",
    HUNL + "flop = 0\n" + BETS: "cards: 0 buckets",
    HUNL + "flop = 70000\n" + BETS: "cards: 70000 buckets",
    HUNL + 'flop = "all"\n' + BETS: "cards: flop: want a whole number, not 'all'",
    HUNL + "turn_table = 1\n" + BETS: "cards: turn_table: want true or false, not 1",
    HUNL + 'flop_by = "luck"\n' + BETS: 'cards: flop_by: want "potential" or "equity"',
    HUNL + "river_by = 3\n" + BETS: 'cards: river_by: want "ochs" or "equity", not 3',
    HUNL + "colour = 3\n" + BETS: "cards: 'colour' is unknown; there are flop",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_one_clear_line(text, tmp_path):
    """With the file's name before it."""
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(str(file))
    assert str(caught.value).startswith(f"{file}: {WRONG[text]}")
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_what_is_no_config_file(tmp_path):
    """No TOML, and none of the configs that come along; everything else ends in .toml."""
    file = tmp_path / "mine.toml"
    for content in (b"game = ", b"\xff\xfe", b"= 3", b"game = 'leduc'\ngame = 3"):
        file.write_bytes(content)
        with refused(ConfigError, "mine.toml: not TOML: "):
            load_config(str(file))
    (tmp_path / "folder.toml").mkdir()
    for name, *facts in (
        ("best", "'best'", "leduc", "smoke"),
        ("../configs/leduc", "'../configs/leduc'"),
        (str(tmp_path / "none.toml"), "none.toml: No such file"),
        (str(tmp_path / "folder.toml"), "folder.toml: Is a directory"),
    ):
        with refused(ConfigError, *facts):
            load_config(name)


@pytest.mark.parametrize("name", config_names())
def test_configs_that_come_along(name):
    """Each has a summary, makes a betting tree and can be told as plain values."""
    config = load_config(name)
    assert config.name == name
    assert config.summary
    assert tree_of(config).nodes > 50
    assert config_of_facts(json.loads(json.dumps(config.facts()))) == config
    assert load_config(str(CONFIGS / f"{name}.toml")) == config
    if name in ("hunl-50", "hunl-33", "hunl-20"):  # buckets are built once for all depths
        assert config.cards == load_config("hunl-100").cards


def test_stacks_are_those_of_the_built_in_game_unless_told():
    """In big blinds; what a config tells of itself names them only where it has them."""
    built_in = load_builtin("hunl")
    plain = parse_config("x", HUNL + BETS)
    assert plain.game == built_in
    assert "stack" not in plain.facts()
    short = parse_config("x", "stack = 50\n" + HUNL + BETS)
    assert short.game == replace(built_in, stacks=(5000, 5000))
    assert parse_gamedef(short.game_text().encode()) == short.game
    assert max(tree_of(short).raise_to.tolist()) == 5000
    assert config_of_facts(json.loads(json.dumps(short.facts()))) == short
    with pytest.raises(ValueError, match="stack: want a whole number"):
        config_of_facts(short.facts() | {"stack": "50"})


def test_streets_that_are_left_out_are_as_the_one_before():
    """Sizes are per cents of the pot, by the raises of the street."""
    config = parse_config("x", HUNL + '[bets]\npreflop = ["50", "a"]\nturn = ["25,100"]\n')
    assert config.bets == (("50", "a"), ("50", "a"), ("25,100",), ("25,100",))
    assert [street.sizes for street in config.menu.streets[1:3]] == [
        ((0.5,), (float("inf"),)),
        ((0.25, 1.0),),
    ]


def test_training_becomes_settings_of_the_solver():
    """Pruning only where a threshold is given."""
    plain = tiny_config("leduc").training.settings(3)
    assert (plain.period, plain.workers, plain.pruning) == (2000, 3, None)
    assert plain.floor == -float("inf")
    text = (
        LEDUC + "[training]\nprune_below = -300\nprune_softness = 20\nprune_after = 5\nfloor = -400"
    )
    pruned = parse_config("x", text).training.settings(1)
    assert pruned.pruning.threshold == -300
    assert (pruned.pruning.softness, pruned.pruning.after, pruned.floor) == (20, 5, -400)


@pytest.mark.parametrize("name", ["hunl", "hulhe", "leduc"])
def test_facts_of_configs_come_back(name):
    """Through JSON."""
    config = tiny_config(name)
    assert config_of_facts(json.loads(json.dumps(config.facts()))) == config
    broken = {key: value for key, value in config.facts().items() if key != "seed"}
    with pytest.raises(KeyError):
        config_of_facts(broken)
