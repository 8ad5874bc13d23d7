"""`arena train nfsp`, `ppo`, `mmd`, `sdcfr`: learn a small limit game by self-play.

Exit codes: 0 all decisions are made, 1 a file cannot be written or the game has no decisions, 2
wrong arguments, a game or memories that are too large, or a folder that another training uses or
whose run cannot be resumed, 130 Ctrl-C; then, too, everything is saved.
"""

from __future__ import annotations

import argparse
import math
import re
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.learners.shipped import LEARNED_BY
from agents.training.requirements import need_torch
from agents.training.run_folder import check_folder, work_alone
from engine.console.arguments import load_game, real_number, whole_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.small_games.poker_tree import check_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.learners.configuration import LearnerConfig, Settings
    from agents.learners.train.learner_run import LearnerRun
    from protocol.gamedef import GameDef

_PROGRESS_SECONDS: Final = 10.0
_SAVE_SECONDS: Final = 120.0
_MIB: Final = 1 << 20
_MOST_ROWS: Final = 10**9


def _train(
    settings_of: Callable[[argparse.Namespace], Settings], options: argparse.Namespace
) -> int:
    from agents.learners.configuration import LearnerConfig, memory_bytes
    from agents.learners.encoder import Encoder

    name, game = options.game
    try:
        settings = settings_of(options)
        check_size(game)
        Encoder(game)
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    algorithm = options.algorithm
    config = LearnerConfig(algorithm, name, game, options.seed, options.steps, settings)
    size = memory_bytes(config)
    if size > options.memory * _MIB:
        raise WrongArguments(
            f"memories of {math.ceil(size / _MIB):,} MiB: more than --memory {options.memory}"
        )
    need_torch(f"arena train {algorithm}")
    stem = re.sub(r"[^\w.-]+", "-", Path(name).stem)
    folder = options.out or Path("runs") / f"{algorithm}-{stem}-{options.seed}"
    tell(f"run folder {folder}")
    check_folder(folder, resume=options.resume)  # before the folder is made
    from agents.learners.train.learner_run import FILES_OF_RUN

    work = partial(_run, folder, config, options)
    return INTERRUPTED if work_alone(folder, FILES_OF_RUN, work) is None else 0


def _run(
    folder: Path, config: LearnerConfig, options: argparse.Namespace, stop: Callable[[], bool]
) -> LearnerRun | None:
    """Learn until all is done; None where it was stopped."""
    from agents.learners.train.learner_run import LearnerRun

    run = LearnerRun(folder, config, resume=options.resume)
    run.commands.append(f"arena train {config.algorithm} {shlex.join(options.argv)}")
    tell(f"{run.game.tree.nodes:,} nodes, {run.game.tree.info_sets:,} information sets")
    if options.resume:
        tell(f"resumed after {run.decisions:,} decisions")
    if run.over:
        run.save()  # it may have been killed after its last checkpoint and before its model
    limiter = RateLimiter(_PROGRESS_SECONDS, first_seconds=2.0)
    while not (run.over or stop()):
        run.learn(_SAVE_SECONDS, lambda: limiter(lambda: _line(run)), stop)
        run.save()
    if not run.over:
        return None
    tell(_line(run))
    shown = shlex.join(("--game", config.name, "--model", str(run.model_file)))
    tell(f"to play it: arena agent {_bot(config.algorithm)} HOST PORT {shown}")
    return run


def _bot(algorithm: str) -> str:
    """Return the bot that plays what was learned; all play any model."""
    return algorithm if algorithm in LEARNED_BY else LEARNED_BY[0]


def _line(run: LearnerRun) -> str:
    thousandths = 1000 * run.curve[-1][1] / run.config.game.big_blind
    return (
        f"{run.decisions:,} decisions in {run.seconds:.1f} s, exploitability {thousandths:.4g} "
        "thousandths of the big blind"
    )


def _named_game(text: str) -> tuple[str, GameDef]:
    return text, load_game(text)


def _nfsp(options: argparse.Namespace) -> Settings:
    from agents.learners.configuration import NfspSettings

    return NfspSettings(
        anticipatory=options.anticipatory,
        alternating=options.alternating,
        ring=options.ring,
        reservoir=options.reservoir,
    )


def _ppo(options: argparse.Namespace) -> Settings:
    from agents.learners.configuration import PPO

    return replace(
        PPO, hands=options.hands, entropy=options.entropy, entropy_end=options.entropy_end
    )


def _mmd(options: argparse.Namespace) -> Settings:
    from agents.learners.configuration import MMD

    return replace(
        MMD,
        hands=options.hands,
        entropy=options.entropy,
        entropy_end=options.entropy_end,
        kl=options.kl,
    )


def _sampled(options: argparse.Namespace) -> Settings:
    from agents.learners.configuration import SampledCfrSettings

    return SampledCfrSettings(
        traversals=options.traversals, steps=options.descent, reservoir=options.reservoir
    )


_share: Final = real_number(lambda value: 0 < value <= 1, "want more than 0 and at most 1")
_weight: Final = real_number(lambda value: 0 <= value <= 1000, "want 0 to 1000")
_rows: Final = whole_number(1, _MOST_ROWS)
_COMMON: Final = (
    Option(
        "--game NAME|FILE",
        "built-in limit game or game file, small enough to be written out: kuhn, kuhn3, leduc, "
        "leduc3, fixed-queen",
        _named_game,
        required=True,
    ),
    Option(
        "--steps N", "decisions of all players (%(default)s)", whole_number(1, 10**11), 1_000_000
    ),
    Option("--seed N", "of all random choices (%(default)s)", whole_number(0, 2**64 - 1), 1),
    Option(
        "--memory MIB", "most that memories may take (%(default)s)", whole_number(1, 2**24), 1024
    ),
    Option("--resume", "resume the run in the folder"),
    Option("--out DIR", "run folder (runs/ALGORITHM-GAME-SEED)", Path),
)
_NFSP: Final = (
    Option("--anticipatory P", "share of hands of best responses (%(default)s)", _share, 0.1),
    Option(
        "--alternating N",
        "decisions for which one player learns and the others stay; 0: all learn at once "
        "(%(default)s)",
        whole_number(0, 10**9),
        0,
    ),
    Option("--ring N", "transitions that a player remembers (%(default)s)", _rows, 200_000),
    Option("--reservoir N", "actions that a player remembers (%(default)s)", _rows, 2_000_000),
)
_GRADIENT: Final = (
    Option(
        "--hands N",
        "between two changes of the policy (%(default)s)",
        whole_number(1, 10**6),
        256,
    ),
    Option("--entropy X", "weight of the entropy at first (%(default)s)", _weight, 0.2),
    Option("--entropy-end X", "and at the end (%(default)s)", _weight, 0.05),
)
_MMD: Final = (
    *_GRADIENT,
    Option("--kl X", "weight of the divergence from the policy before (%(default)s)", _weight, 0.5),
)
_SAMPLED: Final = (
    Option(
        "--traversals N",
        "of each player in an iteration (%(default)s)",
        whole_number(1, 10**6),
        100,
    ),
    Option(
        "--descent N", "steps of descent in an iteration (%(default)s)", whole_number(1, 10**6), 100
    ),
    Option("--reservoir N", "advantages that a player remembers (%(default)s)", _rows, 1_000_000),
)


def _command(
    algorithm: str,
    summary: str,
    settings_of: Callable[[argparse.Namespace], Settings],
    options: tuple[Option, ...],
) -> Command:
    def work(given: argparse.Namespace) -> int:
        given.algorithm = algorithm
        return _train(settings_of, given)

    return Command(
        f"arena train {algorithm}",
        work,
        summary,
        (*_COMMON, *options),
        "The run folder gets the curve of exact exploitability, as file and picture.  What was "
        f"learned plays as {' or '.join(LEARNED_BY)}, by whichever of the four: arena match "
        f'"{_bot(algorithm)} --model runs/{algorithm}-leduc-1/model.learned" always-call '
        "--game leduc.",
        prints=False,
    )


nfsp = _command("nfsp", "Learn a small game by neural fictitious self-play.", _nfsp, _NFSP).main
ppo = _command("ppo", "Learn a small game by proximal policy optimization.", _ppo, _GRADIENT).main
mmd = _command("mmd", "Learn a small game by magnetic mirror descent.", _mmd, _MMD).main
sdcfr = _command("sdcfr", "Learn a small game by single deep CFR.", _sampled, _SAMPLED).main
