"""`arena deals`: writes a deals file, from a seed, from logs, or spread evenly over all flops.

Exit codes: 0 fine, 1 some hands were left out or the file cannot be written, 2 wrong arguments, an
unreadable log or an unknown game, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from dealer.deals.from_logs import HOLDEM_STREETS, LoggedDeals, hands_of_one_game
from dealer.logs.hand_filter import logs_options
from engine.console.arguments import DEFAULT_GAME, count, deal_seed, output_file
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import FAILED
from engine.console.output import printable, tell
from engine.console.progress import LivingLine
from engine.errors import LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.folders import logs_in
from engine.handlogs.source.log_games import FoundGame, game_from_argument
from engine.handlogs.source.opening import no_hands
from engine.rules.dealing import Deal, DealStream
from engine.storage.atomic import replacing
from protocol.deals import DealGrammar, GivenDeal, format_game_line
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

PROG: Final = "arena deals"
DEFAULT_DEALS: Final = 1000
_FIRST_SECONDS: Final = 1.0
_SHOWN_EVERY: Final = 1 << 10
_EPILOG: Final = """\
examples:
  arena deals --seed 7 --hands 1000 --out seed7.deals      what the dealer deals with seed 7
  arena deals match.log --out again.deals                  the hands of a log, in its order
  arena deals match.log --from-street turn                 as spots: betting and all, from the turn
  arena deals --stratify flop --hands 1755 --seed 1        every kind of flop, in proportion
  arena deals match-folder --only boards                   hole cards are left to the seed

A deal is a line such as AhKd|7c7s/Td7h2c/Js/3s: hole cards by position, then the board street by
street.  "?" is drawn from the seed of the match, and so is a board that is left out.  "#" begins a
comment.  cr300c/:AhKd|7c7s/Td7h2c begins on the flop, after these actions.  `arena match`, `arena
tournament` and `arena dealer` play such files with --deals.
"""


def _write_deals(options: argparse.Namespace) -> int:
    if not options.logs:
        if options.from_street or options.player is not None:
            raise WrongArguments(
                "--from-street and --player choose among the hands of logs; name some"
            )
        return _write_drawn(options)
    for name in ("seed", "stratify"):
        if getattr(options, name) is not None:
            raise WrongArguments(f"--{name} does not go with logs")
    return _write_logged(options)


def _write_drawn(options: argparse.Namespace) -> int:
    """Write deals that are drawn."""
    drawn_game = game_from_argument(options.game or DEFAULT_GAME)
    hands = options.hands or DEFAULT_DEALS
    seed = 1 if options.seed is None else options.seed
    if options.stratify is None:
        deals = _split(drawn_game.game, DealStream(drawn_game.game, seed))
        description = f"the first {hands:,} deals of seed {seed}"
    else:
        if not drawn_game.game.is_holdem:
            raise LogError(f"--stratify flop is for hold'em, which {drawn_game.label} is not")
        deals = _stratified(drawn_game.game, hands, seed)
        description = f"{hands:,} deals spread evenly over all flops, drawn with seed {seed}"
    return _write(options, drawn_game, description, deals, hands)


def _write_logged(options: argparse.Namespace) -> int:
    """Write the deals of logs."""
    complaints = Complaints(tell)
    logs = logs_in(options.logs)
    named = None if options.game is None else game_from_argument(options.game)
    hands = hands_of_one_game(logs, named, complaints)
    if options.player is not None:
        hands = (hand for hand in hands if options.player in hand.record.names)
    first = next(hands, None)
    if first is None:
        player = "" if options.player is None else f" of {options.player}"
        tell(f"{PROG}: {no_hands(logs, player)}")
        return FAILED
    street = 0 if options.from_street is None else HOLDEM_STREETS.index(options.from_street)
    if street >= first.game.streets:
        raise LogError(f"--from-street {options.from_street}: the game has none")
    label = options.game or (first.header.game if first.header is not None else "")
    source = f"the deals of {', '.join(log.name for log in logs[:3])}{', ...' * (len(logs) > 3)}"
    source += "" if options.player is None else f" in which {options.player} sat"
    source += f", from the {options.from_street} on" if street else ""
    deals = LoggedDeals(first.game, complaints).deals_of(chain([first], hands), street)
    logged_game = FoundGame(first.game, label)
    written = _write(options, logged_game, source, (deal for deal, _ in deals), options.hands)
    complaints.finish()
    return FAILED if complaints.count else written


def _write(
    options: argparse.Namespace,
    deal_game: FoundGame,
    description: str,
    deals: Iterator[GivenDeal],
    most: int | None,
) -> int:
    """Write a deals file, or to standard output; return the exit code."""
    grammar = DealGrammar(deal_game.game)
    head = [f"# {printable(description)}", format_game_line(_file_name(deal_game))]
    number = 0
    with ExitStack() as stack:
        line = stack.enter_context(LivingLine(first_seconds=_FIRST_SECONDS))
        try:
            stream = _opened(options.out, stack)
            stream.write("".join(f"{text}\n" for text in head).encode())
            for deal in islice(deals, most):
                stream.write(f"{grammar.format(_only(deal, options.only))}\n".encode())
                number += 1
                if not number % _SHOWN_EVERY:
                    line.show_often(partial("{:,} deals".format, number))
            if not number:
                raise LogError("no deal of this kind is there")
            stream.flush()
        except OSError as error:
            if options.out is None:
                raise
            tell(f"{PROG}: {options.out}: {error.strerror or error}")
            return FAILED
    return 0


def _opened(path: Path | None, stack: ExitStack) -> BinaryIO:
    if path is not None:
        return stack.enter_context(replacing(path))
    sys.stdout.flush()
    return sys.stdout.buffer


def _only(deal: GivenDeal, part: str | None) -> GivenDeal:
    """Return a deal with the part that is wanted, the rest left open."""
    if part == "boards":
        return replace(deal, holes=(None,) * len(deal.holes))
    if part == "holes":
        return replace(deal, board=tuple(None if new else new for new in deal.board))
    return deal


def _split(game: GameDef, deals: Iterable[Deal]) -> Iterator[GivenDeal]:
    """Yield deals with their boards cut into streets."""
    for deal in deals:
        board, at = [], 0
        for new in game.board_cards:
            board.append(deal.board[at : at + new])
            at += new
        yield GivenDeal(deal.holes, tuple(board))


def _stratified(game: GameDef, hands: int, seed: int) -> Iterator[GivenDeal]:
    """Yield deals with flops that are spread evenly, all other cards drawn as the dealer does."""
    from engine.deals.stratified import stratified_flops

    drawn = DealStream(game, seed)
    nobody = (None,) * game.players
    around = (
        drawn.deal_around(GivenDeal(nobody, ((), tuple(flop), None, None)))
        for flop in stratified_flops(hands, seed).tolist()
    )
    return _split(game, around)


def _file_name(deal_game: FoundGame) -> str:
    """Return what a deals file calls a game: the name of its file."""
    names = builtin_aliases().values()
    built_in = next((name for name in names if load_builtin(name) == deal_game.game), None)
    if built_in is not None:
        return builtin_path(built_in).name
    return printable(deal_game.label.replace("\\", "/").rsplit("/", 1)[-1])


main = Command(
    PROG,
    _write_deals,
    "Write a deals file: the cards of hands, one a line, to be played with --deals.\n"
    "Without LOG, the deals of a seed.",
    (
        *logs_options(
            "take the deals of match logs",
            needed=False,
            game=f"built-in game or game file ({DEFAULT_GAME}; of logs: as their headers say)",
        ),
        Option("--out FILE", "write there (standard output)", output_file),
        Option("--hands N", f"deals ({DEFAULT_DEALS}; of logs: all)", count),
        Option("--seed S", "of the deals (1)", deal_seed),
        Option(
            "--stratify",
            "spread the deals evenly: each class of flops (1755, suits renamed) comes up as often "
            "as it should, or once more",
            choices=("flop",),
        ),
        Option("--only", "leave the other cards open", choices=("boards", "holes")),
        Option(
            "--from-street",
            "of logs: write spots, each hand with its betting up to this street",
            choices=HOLDEM_STREETS[1:],
        ),
        Option("--player NAME", "of logs: hands in which NAME sat"),
    ),
    _EPILOG,
).main
