"""Each command of docs/reproduction.md, in its smallest form."""

import re
import shlex
import signal
from functools import cache

import pytest

from agents.poker_cnn.model import CnnModel
from agents.poker_cnn.shape import ACTION, initial_weights
from dealer.arena import COMMANDS
from tests.documents.cells import ROOT
from tests.helpers.arena import arena_here, run_arena, start_arena
from tests.studies import frame

PAGE = ROOT / "docs" / "reproduction.md"


def table(text):
    """Return the commands of a table, each with the indented line below it, "" without one."""
    forms, command = {}, ""
    for line in text.strip().splitlines():
        if line.startswith(" "):
            forms[command] = line.strip()
        else:
            command = line
            forms[command] = ""
    return forms


QUICK = table("""
arena equity AdQc --board 3h4cJh --potential
arena equity AhAd KhKd --board 2c7d9s
arena equity --preflop sklansky
arena equity --preflop chen
arena games fixed-queen
arena replay --verify hands.log
arena match equilibrium always-call --game fixed-queen --hands 1000
    --hands 4 --in-process
arena train equilibrium --game fixed-queen --preset patent
    --iterations 4 --out queen
arena train equilibrium --game kuhn3 --preset patent
    --iterations 4 --out kuhn3
arena train equilibrium --game leduc
    --iterations 4 --out leduc
arena solve --board KsJs7d2c9h --pot 1200 --stacks 9400 --oop 40% --ip 40% --algorithm adaptive
    --iterations 4 --oop QQ --ip JJ
arena data cnn hands.log --game hunl --expert DeepStack --out deepstack.records
arena improve hunl-100 hands.log --game hunl --plan
    --workers 1
""")
"""Those of the default gate: below each what is added to it, or takes the place of its options."""
SLOW = table("""
arena match astar rule --hands 1000
    --hands 2 --in-process
arena match "astar --variant street" O1 --hands 1000
    --hands 2 --in-process
arena match cnn biased-random --game hulhe --hands 1000
    --hands 2 --in-process
arena match libratus blueprint --hands 1000
    --hands 1 --in-process
arena match "libratus --safety margin --estimates 1" blueprint --hands 1000
    --hands 1 --in-process
arena match "libratus --shake 0.08" blueprint --hands 1000
    --hands 1 --in-process
arena match libratus-fast blueprint --hands 1000 --runs 10 --seed 41 --jobs 1
    --hands 1 --runs 1 --in-process
arena match "statistical --preset patent" rule --game hulhe --hands 10000 --seed 1
    --hands 2 --in-process
arena match statistical rule rule rule rule rule --game nolimit6 --hands 300 --seed 1
    --hands 2 --in-process
arena train astar --config article --out runs/article
    --config smoke
arena train astar --config base --seed 1 --out runs/base
    --config smoke
arena train blueprint --config hunl --minutes 80 --out runs/hunl
    --config smoke --iterations 2000 --lbr-pairs 0
arena train cnn limit.records --held-out 0.1667 --epochs 4
    --held-out 0.4 --epochs 1
arena train cnn limit.records --reading value --backwards --epochs 5
    --epochs 1 --out value
arena train equilibrium --game hulhe --groups 4,3,3,3 --iterations 100
    --groups 1,1,1,1 --iterations 2 --deals 200 --out hulhe
arena train nfsp --game leduc --steps 30000000 --seed 1
    --steps 2000 --out nfsp
arena train statistical ann --logs hands.log --game hunl --hidden 4 --out runs/statistical
    --epochs 1
arena train statistical tree --logs hands.log --game hunl --out runs/statistical
arena train statistical types --logs logs --out runs/types
    --game hunl --window 5
arena lbr "libratus --iterations 150" --settings C,C,FCPA,FCPA --pairs 100 --holes 8
    --pairs 1 --holes 1
arena versus hunl,purify hunl --boards 40 --seed 11
    --boards 1
arena lbr "deepstack --iterations 60" --settings C,C,FCPA,FCPA --pairs 30 --holes all
    --pairs 1 --holes 1
arena improve hunl-100 hands.log --game hunl --iterations 6000000
    --iterations 10 --workers 1 --raises 1
arena improve hunl-100 --watch logs/ --daily 03:30
arena play libratus
arena play statistical --game hulhe
""")
"""The others, which are run by `make slow`."""
SERVED = {
    "arena play libratus": "http",
    "arena play statistical --game hulhe": "http",
    "arena improve hunl-100 --watch logs/ --daily 03:30": "waiting",
}
"""What they say when they are up."""
KEPT = {
    "subgames --tree large --flops 40 --buckets 5,46,684": "--tree large",
    "subgames --tree turn --buckets 100": "--tree turn",
    "cnn-duels --game hulhe --deals 5000": "--game hulhe",
    "cnn-planes blueprint.records": "{folder}/limit.records",
    "cnn-accuracy deepstack.records --folds 4": "{folder}/limit.records",
    "cnn-search runs/limit/cnn.network --deals 1000": "{folder}/valued.network",
    "cnn-values limit-all.records --hands 20000 --deals 3000": "{folder}/limit.records",
    "network runs/statistical/ann.model": "{folder}/runs/statistical/ann.model",
}
"""What a study keeps of its options in its smallest form, or needs."""
SECONDS = 120


@cache
def commands():
    """Return the commands of the page's tables."""
    spans = re.findall(r"`((?:arena|make) [^`]+)`", PAGE.read_text(encoding="utf-8"))
    return [span for span in dict.fromkeys(spans) if "..." not in span]


def is_study(command):
    """Return whether a command is `make study`."""
    return command.startswith("make ")


def study_words(command):
    """Return a study's name and options."""
    words = shlex.split(command)
    assert words[:2] == ["make", "study"], command
    return shlex.split(words[2].removeprefix("NAME="))


STUDIES = [command for command in commands() if is_study(command)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A log that shows all cards, records of it, and a network that knows what hands are worth."""
    here = tmp_path_factory.mktemp("reproduction")
    match = ("match", "DeepStack=O8", "O5", "--game", "hunl", "--hands", "40", "--in-process")
    assert arena_here(here, *match, "--seed", "1", "--out", "logs").code == 0
    text = next((here / "logs").glob("*.log")).read_text(encoding="utf-8")
    (here / "hands.log").write_text(text, encoding="utf-8")
    words = ("data", "cnn", "hands.log", "--game", "hunl", "--out", "limit.records")
    assert arena_here(here, *words).code == 0
    row = initial_weights(1)
    row[-1] = 1.0
    CnnModel(row, ACTION).save(here / "valued.network")
    return here


def smallest(command, changes):
    """Return the words of a command with options changed or added, without `arena`."""
    words, added = shlex.split(command)[1:], shlex.split(changes)
    while added:
        option = [added.pop(0)]
        if added and not added[0].startswith("--"):
            option.append(added.pop(0))
        at = words.index(option[0]) if option[0] in words else len(words)
        words[at : at + len(option)] = option
    return words


def test_every_command_has_a_smallest_form():
    """And every smallest form is of a command of the page."""
    arena = {command for command in commands() if not is_study(command)}
    assert arena == QUICK.keys() | SLOW.keys()
    assert SERVED.keys() <= SLOW.keys()
    studied = {shlex.join(study_words(command)) for command in STUDIES}
    assert KEPT.keys() <= studied
    assert {words.split()[0] for words in studied} <= frame.studies().keys()


@pytest.mark.parametrize("command", STUDIES)
def test_options_of_studies_are_known(command):
    """All of them, as the page has them; nothing is run."""
    name, *words = study_words(command)
    assert frame.parsed(name, words).result


@pytest.mark.parametrize("command", SLOW)
def test_options_of_slow_commands_are_known(command):
    """By the command's help; nothing is run."""
    words = shlex.split(command)[1:]
    depth = 2 if words[0] in ("train", "data") else 1
    name = words[0]
    assert name in COMMANDS
    help_text = arena_here(ROOT, *words[:depth], "--help").out
    if name == "play":
        help_text += arena_here(ROOT, "match", "--help").out
    flags = {word for word in words[depth:] if word.startswith("--")}
    assert all(flag in help_text for flag in flags)


@pytest.mark.parametrize(("command", "changes"), QUICK.items())
def test_quick_commands_run(folder, command, changes):
    """In their smallest form, to a good end."""
    ended = arena_here(folder, *smallest(command, changes))
    assert ended.code == 0, ended.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "changes"), [item for item in SLOW.items() if item[0] not in SERVED]
)
def test_slow_commands_run(folder, command, changes):
    """Each in a process of its own."""
    ended = run_arena(folder, *smallest(command, changes))
    assert ended.code == 0, ended.err


@pytest.mark.slow
@pytest.mark.parametrize(("command", "up"), SERVED.items())
def test_what_stays_up_comes_up(folder, command, up):
    """And ends at a signal."""
    more = ("--no-browser",) if "play" in command else ("--game", "hunl")
    with start_arena(folder, *shlex.split(command)[1:], *more, stderr=-2) as process:
        try:
            assert any(up in line for line in process.stdout)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    assert process.returncode in (0, 130)


@pytest.mark.slow
@pytest.mark.parametrize("command", STUDIES)
def test_studies_run(folder, command, tmp_path):
    """With --small."""
    name, *words = study_words(command)
    kept = shlex.split(KEPT.get(shlex.join([name, *words]), "").format(folder=folder))
    if name == "network":
        train = "train statistical ann --logs hands.log --game hunl --hidden 4 --epochs 1"
        assert arena_here(folder, *train.split(), "--out", "runs/statistical").code == 0
    out = ["--out", str(tmp_path / "result"), "--work", str(tmp_path / "work")]
    assert frame.main([name, "--small", *kept, *out]) == 0
