"""`arena train nfsp`, `ppo`, `mmd`, `sdcfr`: learn a game, or hold'em in groups, by self-play.

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

from agents.errors import GameNotPlayed
from agents.learners.shipped import LEARNED_BY
from agents.training.requirements import need_torch
from agents.training.run_folder import check_folder, work_alone
from engine.console.arguments import load_game, real_number, street_counts, whole_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.errors import ArtifactMismatch
from engine.small_games.poker_tree import check_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.blueprint_model.grouped_holdem import Groups
    from agents.learners.configuration import LearnerConfig, Settings
    from agents.learners.train.learner_run import LearnerRun
    from engine.console.stopping import Stop
    from protocol.gamedef import GameDef

_PROGRESS_SECONDS: Final = 10.0
_SAVE_SECONDS: Final = 120.0
_MIB: Final = 1 << 20
_MOST_ROWS: Final = 10**9
_GROUPED_HANDS: Final = 16_384
_GROUPED_TRAVERSALS: Final = 400
GROUPED_BOT: Final = "blueprint"
"""What plays a game that was learned in groups."""


def _train(
    settings_of: Callable[[argparse.Namespace], Settings], options: argparse.Namespace
) -> int:
    from agents.learners.configuration import LearnerConfig, memory_bytes
    from agents.learners.encoder import Encoder

    name, game = options.game
    algorithm = options.algorithm
    try:
        settings, groups = settings_of(options), _groups(options)
        if groups is None:
            if options.bets is not None:
                raise ValueError("--bets is for --groups")
            check_size(game)
            Encoder(game)
        config = LearnerConfig(
            algorithm, name, game, options.seed, options.steps, settings, groups, options.bets
        )
        size = memory_bytes(config)
    except (ArtifactMismatch, GameNotPlayed, ValueError) as error:
        raise WrongArguments(str(error)) from error
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
    folder: Path, config: LearnerConfig, options: argparse.Namespace, stop: Stop
) -> LearnerRun | None:
    """Learn until all is done; None where it was stopped."""
    from agents.learners.train.learner_run import LearnerRun

    if config.groups is not None:
        tell(f"joining buckets and counting {config.groups.deals:,} deals: a minute or so")
    with stop.at_once():
        run = LearnerRun(folder, config, resume=options.resume)
    run.commands.append(f"arena train {config.algorithm} {shlex.join(options.argv)}")
    tell(f"{run.game.nodes:,} nodes, {len(run.game.owner):,} information sets")
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
    bot = _bot(config.algorithm) if config.groups is None else GROUPED_BOT
    tell(f"to play it: arena agent {bot} HOST PORT {shown}")
    return run


def _groups(options: argparse.Namespace) -> Groups | None:
    """Return how hold'em's buckets are joined; None where the game is written out.

    Raises:
        ArtifactMismatch, GameNotPlayed, ValueError: as from `check_groups`.
    """
    if options.groups is None:
        return None
    from agents.blueprint_model.grouped_holdem import Groups, check_groups

    groups = Groups(options.groups)
    check_groups(options.game[1], groups)
    return groups


def _hands(options: argparse.Namespace, usual: int) -> int:
    """Return the hands of a round: those asked for, else as many as it pays to play by one policy.

    In groups a policy is worked out at a million information sets, which takes half a second.
    """
    return int(options.hands or (usual if options.groups is None else _GROUPED_HANDS))


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
        hands=_hands(options, NfspSettings().hands),
        anticipatory=options.anticipatory,
        alternating=options.alternating,
        ring=options.ring,
        reservoir=options.reservoir,
    )


def _ppo(options: argparse.Namespace) -> Settings:
    from agents.learners.configuration import PPO

    return replace(
        PPO,
        hands=_hands(options, PPO.hands),
        entropy=options.entropy,
        entropy_end=options.entropy_end,
    )


def _mmd(options: argparse.Namespace) -> Settings:
    from agents.learners.configuration import MMD

    return replace(
        MMD,
        hands=_hands(options, MMD.hands),
        entropy=options.entropy,
        entropy_end=options.entropy_end,
        kl=options.kl,
    )


def _sampled(options: argparse.Namespace) -> Settings:
    from agents.learners.configuration import SampledCfrSettings

    usual = SampledCfrSettings().traversals if options.groups is None else _GROUPED_TRAVERSALS
    return SampledCfrSettings(
        traversals=options.traversals or usual, steps=options.descent, reservoir=options.reservoir
    )


_share: Final = real_number(lambda value: 0 < value <= 1, "want more than 0 and at most 1")
_weight: Final = real_number(lambda value: 0 <= value <= 1000, "want 0 to 1000")
_rows: Final = whole_number(1, _MOST_ROWS)
_COMMON: Final = (
    Option(
        "--game NAME|FILE",
        "built-in limit game or game file, small enough to be written out: kuhn, kuhn3, leduc, "
        "leduc3, fixed-queen; with --groups hulhe or hunl, too",
        _named_game,
        required=True,
    ),
    Option(
        "--groups N,N,N,N",
        "hold'em for two: join the buckets of the shipped blueprint in so many groups a street, as "
        "4,3,3,3",
        street_counts,
    ),
    Option(
        "--bets MENU",
        "of no-limit in groups, in per cent of the pot: first bet; raises (50,100,a;100,a, which "
        "with 4,3,3,3 wants --memory 2048)",
    ),
    Option(
        "--steps N", "decisions of all players (%(default)s)", whole_number(1, 10**11), 1_000_000
    ),
    Option("--seed N", "of all random choices (%(default)s)", whole_number(0, 2**64 - 1), 1),
    Option(
        "--memory MIB",
        "most that memories, and what is seen in groups, may take (%(default)s)",
        whole_number(1, 2**24),
        1024,
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
    Option("--hands N", "played by one policy (128, in groups 16384)", whole_number(1, 10**6)),
    Option("--ring N", "transitions that a player remembers (%(default)s)", _rows, 200_000),
    Option("--reservoir N", "actions that a player remembers (%(default)s)", _rows, 2_000_000),
)
_GRADIENT: Final = (
    Option(
        "--hands N",
        "between two changes of the policy (256, in groups 16384)",
        whole_number(1, 10**6),
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
        "of each player in an iteration (100, in groups 400)",
        whole_number(1, 10**6),
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
        "--game leduc.  With --groups it is a blueprint: arena match "
        f'"{GROUPED_BOT} --model runs/{algorithm}-hulhe-1/model.blueprint" rule --game hulhe.',
        prints=False,
    )


nfsp = _command("nfsp", "Learn a game by neural fictitious self-play.", _nfsp, _NFSP).main
ppo = _command("ppo", "Learn a game by proximal policy optimization.", _ppo, _GRADIENT).main
mmd = _command("mmd", "Learn a game by magnetic mirror descent.", _mmd, _MMD).main
sdcfr = _command("sdcfr", "Learn a game by single deep CFR.", _sampled, _SAMPLED).main
