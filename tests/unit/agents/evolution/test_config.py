"""Configs: those that come along, and what is wrong with others in one line."""

from itertools import product

import pytest

from agents.ashe.policy import ASHE
from agents.astar.family import ASTAR
from agents.errors import ConfigError
from agents.evolution.config import config_names, load_config
from agents.evolution.evolution import Stage
from agents.evolution.selection import TIERED, LinearSchedule
from agents.recurrent.shape import GAME_ANEW, OPPONENT_ANEW, Stack
from agents.roster.bots import find_agent
from tests.helpers.evolving import HUNL

GOOD = """
summary = "tiny"
seed = 4
population = 6
founders = 9
deals = 20
resets = ["opponent", "game"]

[[stages]]
generations = 2
opponents = ["O2"]

[[stages]]
generations = 3
opponents = ["O1", "*", "O2"]
deals = 10

[network]
opponent = [1, 1, 2]
game = [2, 3, 4]
head = [3, 5]

[breeding]
scheme = "tiered"
survival = 0.5
rate = [0.5, 0.25]
"""


def written(folder, text):
    """Write a config; return its path."""
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def complaint(*asked):
    """Return the one line that a config is refused with."""
    with pytest.raises(ConfigError) as refused:
        load_config(*asked)
    (line,) = str(refused.value).splitlines()
    return line


@pytest.mark.parametrize("family", [ASTAR, ASHE], ids=lambda family: family.name)
def test_configs_that_come_along_can_be_run(family):
    """All of both families: opponents play, and the network is one of its family."""
    names = config_names(family)
    assert "smoke" in names
    for name in names:
        asks = '"*"' in (family.configs / f"{name}.toml").read_text()
        config = load_config(family, name, ["O5"] if asks else None)
        assert config.name == (f"{name}-O5" if asks else name)
        if not asks:
            assert "no --against" in complaint(family, name, ["O5"])
        assert config.summary
        assert family.fits(config.plan.shape)
        for stage in config.plan.stages:
            for opponent in stage.opponents:
                assert find_agent(opponent).compiled_policy(HUNL, 1)


def test_every_word_of_a_file_is_heeded(tmp_path):
    """Sizes, stages, breeding, and the family's part of the shape."""
    config = load_config(ASHE, str(written(tmp_path, GOOD)), ["O7", "O1", "O8"])
    plan = config.plan
    assert (config.name, config.summary) == ("mine-O7-O1-O8", "tiny")
    assert config.plan.resets == OPPONENT_ANEW | GAME_ANEW
    assert (plan.seed, plan.population, plan.founders) == (4, 6, 9)
    assert plan.stages == (Stage(2, ("O2",), 20), Stage(3, ("O1", "O7", "O8", "O2"), 10))
    assert (plan.shape.opponent, plan.shape.game) == (Stack(1, 1, 2), Stack(2, 3, 4))
    assert plan.shape.head == (3, 5)
    assert (plan.breeding.scheme, plan.breeding.survival) == (TIERED, 0.5)
    assert plan.breeding.rate == LinearSchedule(0.5, 0.25)
    assert load_config(ASHE, str(written(tmp_path, GOOD)), ["O7"], seed=8).plan.seed == 8


def test_what_is_left_out_is_usual(tmp_path):
    """No founders, the game stack alone begins anew, seed 1; to name it twice is no matter."""
    text = "\n".join(
        line for line in GOOD.splitlines() if line.split("=")[0].strip() not in
        ("summary", "seed", "founders", "resets", "scheme", "survival", "rate")
    )  # fmt: skip
    config = load_config(ASHE, str(written(tmp_path, text)), ["O7"])
    assert (config.summary, config.plan.resets, config.plan.seed) == ("", GAME_ANEW, 1)
    assert config.plan.individuals(0) == 6
    text = GOOD.replace('["opponent", "game"]', '["game", "game"]')
    assert load_config(ASHE, str(written(tmp_path, text)), ["O7"]).plan.resets == GAME_ANEW


CHANGES = {
    "founders = 9": {"founders = -5": "-5 founders", "founders = 10000000000": "individuals of"},
    "seed = 4": {
        "sed = 4": "unknown in the file: sed",
        "seed = -4": "seed -4",
        "seed = 1.5": "seed 1.5",
    },
    "population = 6": {
        "": "'population' is missing",
        "population = 6.5": "population 6.5",
        'population = "6"': "population '6'",
        "population = true": "population True",
        "population = inf": "population inf",
        "population = 1": "1 individuals",
        "population = 1000000000000": "individuals of",
        "population.size = 6": "population {'size': 6}",
        "population = " + "9" * 5000: "limit",
    },
    "deals = 20": {
        "": "'deals' is missing",
        "deals = 0": "without",
        "deals = nan": "deals nan",
        "deals = 1000000000000": "1,000,000 at most",
    },
    'resets = ["opponent", "game"]': {
        'resets = "game"': "resets 'game'",
        'resets = ["hand"]': "resets 'hand': want opponent or game",
    },
    "generations = 2": {
        "": "'generations' is missing",
        "generations = 0": "without",
        "generations = inf": "generations inf",
        "generations = 2\ndeal = 5": "unknown in a stage: deal",
    },
    'opponents = ["O2"]': {
        "": "'opponents' is missing",
        "opponents = []": "without",
        'opponents = "O2"': "opponents 'O2'",
        "opponents = [2]": "opponents [2]",
    },
    "opponent = [1, 1, 2]": {
        "": "'opponent' is missing",
        "opponent = [1, 1, 0]": "want 1 or more",
        "opponent = [1, 1, 2.0]": "opponent 2.0",
        "opponent = [1, 1, 2, 3]": "want layers, blocks and cells",
        "opponent = []": "want layers, blocks and cells",
        "opponent = [1, 1, 100000000000]": "a stack of more than 256",
        'opponent = "112"': "opponent '112'",
    },
    "head = [3, 5]": {
        "head = []": "a head of ()",
        "head = [100000000]": "more than 10,000,000 weights",
        "head = 3": "head 3",
        "head = [1, 2, 3, 4, 5, 6, 7, 8, 9]": "9 hidden layers",
        "head = [3]\ntail = [5]": "unknown in network: tail",
    },
    'scheme = "tiered"': {'scheme = "elite"': "scheme 'elite'", "scheme = [1]": "unhashable"},
    "survival = 0.5": {
        "survival = 1.5": "survival 1.5",
        'survival = "all"': "survival 'all': want a number",
        "survival = true": "survival True: want a number",
        "mortality = 0.5": "mortality",
    },
    "rate = [0.5, 0.25]": {
        "rate = [2, 0]": "rate 2 to 0",
        "rate = [nan, 0.1]": "rate nan",
        "rate = [0.5]": "last",
        "rate = 0.5": "want a list",
        "strength = [1e39, 1]": "strength 1e+39: want a number, 1000 at most",
        "strength = [1, 1" + "0" * 100 + "]": "strength of many digits",
        "strength = [1, 1" + "0" * 400 + "]": "a whole number of 1,329 bits",
        "strength = [0.5, inf]": "strength inf",
    },
    "[[stages]]": {"[stages]": "Cannot"},
}
"""A line -> what may stand in its place -> what is said of it."""


@pytest.mark.parametrize("line", CHANGES)
def test_what_is_no_config_is_refused_in_a_line(line, tmp_path):
    """It names the file, and says what is wrong."""
    assert line in GOOD
    for other, wrong in CHANGES[line].items():
        path = written(tmp_path, GOOD.replace(line, other, 1))
        told = complaint(ASHE, str(path), ["O7"])
        assert told.startswith(f"{path}: ")
        assert wrong in told


@pytest.mark.parametrize(
    "text", ["stages = 5", "stages = [5]", "network = 1", "breeding = [1]", "x"]
)
def test_a_table_that_is_none_is_refused(text, tmp_path):
    """Whatever stands in its place."""
    name = text.split()[0]
    kept = "\n[".join(part for part in GOOD.split("\n[") if name not in part.split("\n")[0])
    path = written(tmp_path, f"{text}\n{kept}")
    assert complaint(ASHE, str(path), ["O7"]).startswith(f"{path}: ")


def test_the_countered_have_to_be_named(tmp_path):
    """Where the file leaves them open; of those that come along, too."""
    path = written(tmp_path, GOOD)
    for asked, against in product((str(path), "counter"), (None, [])):
        assert complaint(ASTAR, asked, against).endswith(" --against BOT")


def test_what_is_no_text_is_refused(tmp_path):
    """Other bytes, a folder, brackets without end, a file that there is not."""
    path = written(tmp_path, GOOD)
    path.write_bytes(b'summary = "\xff"\n')
    assert complaint(ASHE, str(path)).startswith(f"{path}: 'utf-8' codec")
    path.write_text(f"summary = {'[' * 9000}")
    assert complaint(ASHE, str(path)).startswith(f"{path}: ")
    assert str(tmp_path) in complaint(ASHE, str(tmp_path))
    for missing in ("bset", str(tmp_path / "none.toml"), ""):
        told = complaint(ASHE, missing)
        if missing:
            assert told.startswith(f"config {missing!r}: want article, ")
            assert told.endswith("or a TOML file")
