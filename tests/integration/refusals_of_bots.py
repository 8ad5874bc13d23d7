"""What command lines about bots refuse: rows of the table in `test_command_lines`."""

from collections.abc import Callable
from functools import cache

from agents.blueprint_model.model import BlueprintModel
from tests.helpers.blueprints import random_model, tiny_config

REFUSED: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "lbr": [
        ("", ("AGENT",)),
        ("slumbot", ("'slumbot'", "always-call, always-fold, blueprint")),
        ("rule", ("'rule'", "arena match", "always-call,")),
        ("blueprint --one-line", ("--one-line is for --river",)),
        ("'libratus --shake 0.1' --settings FC", ("libratus: shake:",)),
        ("blueprint --set speed=3", ("blueprint", "'speed'", "model")),
        ("blueprint --set model", ("--set model:",)),
        ("blueprint --set threshold=low", ("blueprint: threshold: 'low'",)),
        ("blueprint --set model=hunl.blueprint --set threshold=2", ("blueprint: threshold 2:",)),
        ("blueprint --set model=hunl.blueprint --set purify=0.5", ("purify 0.5:", "0 or 1")),
        ("blueprint --set model=none", ("blueprint: model none:",)),
        ("blueprint --set model=hunl.blueprint --pairs 0", ("argument --pairs: 0:",)),
        ("blueprint --set model=hunl.blueprint --holes 1082", ("leaves 1081 hands, not 1082",)),
        ("blueprint --seed -1", ("argument --seed:",)),
        ("blueprint --seed 4294967296", ("argument --seed:",)),
        ("blueprint --settings XYZ", ("argument --settings:",)),
        ("blueprint --script C,30O", ("argument --script:", "street '30O':")),
        ("blueprint --worst --boards 0", ("argument --boards: 0:",)),
        ("blueprint --set model=hunl.blueprint --game hulhe", ("hunl.blueprint", "no-limit")),
        ("blueprint --set model=leduc.blueprint --game leduc", ("hold'em with two cards",)),
        ("blueprint --game kuhn", ("limit for 2",)),
        ("blueprint --json no/such", ("argument --json: no/such:",)),
    ],
    "versus": [
        ("", ("BOT",)),
        ("hunl.blueprint no.file", ("blueprint: model no.file",)),
        ("hunl.blueprint none", ("argument BOT:", "'none'")),
        ("hunl.blueprint hulhe.blueprint", ("hulhe.blueprint", "limit for 2")),
        ("hunl.blueprint hulhe", ("hulhe", "limit for 2")),
        ("leduc leduc", ("hold'em with two cards",)),
        ("kuhn script:C", ("limit for 2 players, 1 hole",)),
        ("script:C script:m --game leduc", ("52 cards",)),
        ("script:C script:m --game nolimit3", ("for two",)),
        ("hunl.blueprint hunl.blueprint --game hulhe", ("hunl.blueprint", "no-limit")),
        ("hunl.blueprint rule", ("argument BOT: 'rule'", "arena match")),
        ("hunl.blueprint ,purify", ("argument BOT: ',purify':",)),
        ("hunl.blueprint ''", ("argument BOT: '':",)),
        ("hunl.blueprint hunl.blueprint,pure", ("argument BOT: hunl.blueprint,pure: 'pure'",)),
        ("hunl.blueprint hunl.blueprint,threshold=2", ("argument BOT: threshold 2:",)),
        ("hunl.blueprint hunl.blueprint,threshold=", ("argument BOT: threshold :",)),
        ("hunl.blueprint 'blueprint --modell x'", ("argument BOT: blueprint:", "--modell")),
        ("hunl.blueprint 'blueprint --threshold 2'", ("blueprint: threshold 2:",)),
        ("script:C, hunl.blueprint", ("argument BOT:", "street '':")),
        ("hunl.blueprint script:C,3O0f", ("argument BOT:", "street '3O0f':")),
        ("hunl.blueprint hunl.blueprint --boards 0", ("argument --boards: 0:",)),
        ("hunl.blueprint hunl.blueprint --seed -1", ("argument --seed:",)),
        ("hunl.blueprint hunl.blueprint --workers x", ("argument --jobs/--workers:",)),
        ("script:a script:F --json no/such", ("argument --json: no/such:",)),
    ],
    "aivat hands": [
        ("hand.log --out h.csv --known twin=nobody", ("nobody",)),
        ("hand.log --out h.csv --known twin=rule", ("'rule'",)),
        ("hand.log --out h.csv --known =blueprint", ("NAME=BOT",)),
        ("hand.log --out h.csv --known 'twin=blueprint --sharpness 2'", ("sharpness",)),
        ("hand.log --out h.csv --told twin", ("NAME=FILE",)),
    ],
    "agent": [
        ("astar localhost 1 --game hulhe", ("astar", "no-limit hold'em")),
        ("ashe localhost 1 --game kuhn", ("ashe", "no-limit hold'em")),
        ("ashe-2 localhost 1 --game hulhe", ("ashe-2", "no-limit hold'em")),
        ("ashe-2 localhost 1 --model bad.toml", ("ashe-2", "bad.toml")),
        ("ashe localhost 1 --model /dev/null", ("/dev/null",)),
        ("astar localhost 1 --sharpness 0", ("sharpness",)),
        ("astar localhost 1 --form linear", ("linear", "inverse or exponential or evidence")),
        ("astar localhost 1 --models /nowhere", ("/nowhere",)),
        ("blueprint localhost 1 --game leduc --model none", ("blueprint: model none:",)),
        ("equilibrium localhost 1 --game hunl", ("equilibrium", "no-limit", "2 players")),
        ("libratus localhost 1 --game leduc", ("libratus searches hold'em for two",)),
        ("libratus localhost 1 --game nolimit3", ("libratus searches hold'em for two",)),
        ("libratus localhost 1 --safety sure", ("safety", "resolve, margin")),
        ("libratus-fast localhost 1 --iterations 0", ("iterations 0", "whole number")),
        ("libratus localhost 1 --model /nowhere", ("/nowhere",)),
    ],
    "match": [
        ("O1 'x=cnn --model some.network' --in-process", ("x", "cnn --model some.network")),
        ("stdio:./none rule", ("stdio:./none", "no program")),
        ("O1 listen --in-process", ("--in-process", "guest")),
        ("O1 'x=true -m 3' --in-process", ("--in-process", "x", "true -m 3")),
        ("always-call always-fold --no-duplicate --sprt mbb1=10", ("--sprt",)),
        ("always-call always-fold --sprt mbb1=10 x", ("--sprt x",)),
        ("always-call always-fold --sprt mbb0=10", ("mbb1=",)),
        ("always-call always-fold --sprt mbb1=300000", ("300000",)),
        ("a=true b=true --game kuhn --aivat", ("kuhn",)),
        ("a=true b=true c=true --game nolimit3 --aivat", ("--aivat",)),
        ("a=true b=true --known a=blueprint", ("--known",)),
        ("a=true b=true --aivat --known a=nosuch", ("'nosuch'",)),
        ("a=true b=true --aivat --known a", ("'a'",)),
        ("a=true b=true --aivat --known a=rule", ("'rule'",)),
        ("a=true b=true --aivat --values /dev/null", ("/dev/null",)),
    ],
    "replay": [
        ("", ("LOG",)),
        ("none.log --verify", ("none.log", "No such file")),
        ("none.log", ("none.log", "No such file")),
        ("--verify hand.log --game chess", ("chess", "neither a file")),
        ("--verify --all hand.log", ("--verify", "--all")),
        ("--hand x hand.log", ("--hand", "x", "hand numbers")),
        ("--json --allin-ev hand.log", ("--json", "hands")),
        ("--verify --pot 3 hand.log", ("--verify", "whole logs")),
        ("--verify .", (".:", "a folder")),
        ("--as-client 3 hand.log", ("no seat 3", "1 to 2")),
    ],
    "rate": [
        ("hand.log --estimates /dev/zero", ("/dev/zero", "regular file")),
    ],
    "train astar": [
        ("", ("--config",)),
        ("--config best", ("config 'best': want base, counter, smoke,",)),
        ("--config .", (".:",)),
        ("--config bad.toml", ("bad.toml:",)),
        ("--config counter", ("--against BOT",)),
        ("--config counter --against nobody", ("'nobody'",)),
        ("--config counter --against rule", ("rule",)),
        ("--config counter --against", ("argument --against:",)),
        ("--config smoke --seed -1", ("argument --seed: '-1'",)),
        ("--config smoke --threads 0", ("argument --threads/--workers: 0:",)),
        ("--config smoke --generations 3", ("--generations 3",)),
        ("--config smoke --resume", ("resume",)),
    ],
}
"""Command -> its words, and what the one line must say."""


def _model(game: str) -> Callable[[], BlueprintModel]:
    return cache(lambda: random_model(tiny_config(game), seed=4))


MODELS = {f"{game}.blueprint": _model(game) for game in ("hunl", "hulhe", "leduc")}
"""File that rows may name -> what makes the model in it."""
