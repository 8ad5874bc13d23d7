"""The dealer's command line: the reference dealer's arguments, then our own options.

    arena dealer MATCH GAMEDEF HANDS SEED NAME... [options]

Arguments are read as GNU getopt does it for the reference dealer: options may stand anywhere,
short ones may be clustered, long ones may be cut short.  Only the reference's long options can be
cut short, so that old scripts keep their meaning.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from dealer.lane.modes import LANE_VARIABLE, SHORTEST_LIMIT_MS, LaneMode
from dealer.server.option_values import (
    MAX_HANDS,
    MAX_SEED,
    SeatLimit,
    UsageError,
    address,
    deal_number,
    invalid_mode,
    lane_mode,
    leading_number,
    matches,
    milliseconds,
    one_line,
    open_file,
    page_port,
    parse_ports,
    seat_limit,
    seconds,
    summary_path,
)
from dealer.server.tokens import SeatTokens, tokens_from

UNLIMITED_SHOWN: Final = 18446744073709550
"""What the reference dealer's log header shows for a negative (endless) limit."""
_IN_ENVIRONMENT: Final = "env:"
_NOTHING: Final[Mapping[str, str]] = {}

RESPONSE_MS: Final = 600_000
HAND_MS: Final = 600_000
PER_HAND_MS: Final = 7_000
"""The original's limits, milliseconds: one response, those of one hand, the average per hand."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one run of the dealer."""

    match: str = ""
    """Match name; log files are this with ".log" and ".tlog"."""
    gamedef: str = ""
    hands: int = 0
    seed: int = 0
    names: tuple[str, ...] = ()
    """One for each seat."""
    fixed_seats: bool = False
    log: bool = True
    transactions: bool = False
    append: bool = False
    ports: tuple[int, ...] = ()
    """Ports in seat order, 0 for any; may be shorter than the number of seats."""
    port_list: str = ""
    """The same as it was given, for those who have more seats than one match has."""
    quiet: bool = False
    response_ms: int | None = RESPONSE_MS
    """Longest single response in milliseconds; None: no limit.  The same for the next two."""
    hand_ms: int | None = HAND_MS
    per_hand_ms: int | None = PER_HAND_MS
    seat_limits: tuple[SeatLimit, ...] = ()
    """In place of the above three; a later one counts more."""
    start_ms: int | None = None
    live: int | None = None
    """Port of a page that shows the match, 0 for any; None: no page."""
    listen: str = "127.0.0.1"
    reconnect_s: float = 0.0
    """How long a lost seat may stay away, seconds; 0: not at all."""
    invalid: str = "fix"
    deals: str | None = None
    """Deals file, None for the seed's own deals."""
    first_deal: int = 0
    """Deals of the file before that of hand 0."""
    events: str | None = None
    summary: str | None = None
    tokens: SeatTokens = field(default_factory=SeatTokens)
    waits: int | None = None
    """Open file to write on who is waited for."""
    ending_codes: bool = False
    serve: int | None = None
    """Matches to play side by side; None: one, under its own name."""
    lane: LaneMode | None = None
    """When to play in the fast lane; None: as the environment says."""
    help: bool = False

    def limits_of(self, seat: int) -> tuple[int | None, int | None, int | None]:
        """Return the limits of one seat in milliseconds: response, hand, average per hand."""
        limits = {
            "t_response": self.response_ms,
            "t_hand": self.hand_ms,
            "t_per_hand": self.per_hand_ms,
        }
        limits.update(
            {own.option: own.milliseconds for own in self.seat_limits if own.seat == seat}
        )
        return limits["t_response"], limits["t_hand"], limits["t_per_hand"]


def parse_options(argv: list[str]) -> tuple[Options, list[str]]:
    """Return the options in `argv` (without the program's name) and its words from HANDS on.

    Those words are for `with_seats`, once the game file has said how many names there must be.

    Raises:
        UsageError: an option is unknown or its value cannot be read.
    """
    options = Options()
    words: list[str] = []
    for name, value in _getopt(argv):
        options = _WITH[name](options, value) if name else options
        if not name:
            words.append(value)
    if options.help:
        return options, []
    if len(words) < 4:
        raise UsageError(usage=True)
    return replace(options, match=words[0], gamedef=words[1]), words[2:]


def with_seats(
    options: Options, words: list[str], players: int, environment: Mapping[str, str] = _NOTHING
) -> Options:
    """Return `options` with hands, seed, names and tokens of the `players` seats, and the lane.

    The seed may be `env:NAME`, an environment
    variable, so that others cannot read it in the list of processes.

    Raises:
        UsageError: there are too few or too many names, hands or seed are no number in range, a
            line of the log could not hold a name, two files are the same, or a token or the mode
            of the lane cannot be used.
    """
    hands_text, seed_text, *names = words
    if len(names) < players:
        raise UsageError(usage=True)
    if len(names) > players:
        told = ", ".join(names)
        raise UsageError(f"ERROR: {len(names)} names for a game of {players} players: {told}")
    written = [f"{options.match}.log", f"{options.match}.tlog", options.events, options.summary]
    paths = [os.path.abspath(path) for path in written if path and not path.startswith("/dev/")]
    if twice := next((path for path in paths if paths.count(path) > 1), None):
        raise UsageError(f"ERROR: two things are to be written to {twice}")
    for name in (options.match, options.gamedef, *names):
        if "\n" in name or "\r" in name:
            raise UsageError(f"ERROR: invalid name {name!r}: it breaks the line")
    if beyond := next((own.seat for own in options.seat_limits if own.seat >= players), None):
        raise UsageError(f"ERROR: --seat-limit of seat {beyond + 1}: there are {players} seats")
    hands = leading_number(hands_text, MAX_HANDS)
    if not hands:
        raise UsageError(f"ERROR: invalid number of hands {hands_text}")
    if seed_text.startswith(_IN_ENVIRONMENT):
        seed_text = environment.get(seed_text.removeprefix(_IN_ENVIRONMENT), seed_text)
    seed = leading_number(seed_text, MAX_SEED)
    if seed is None:
        raise UsageError(f"ERROR: invalid random number seed {seed_text}")
    try:
        tokens = tokens_from(environment, players)
    except ValueError as error:
        raise UsageError(f"ERROR: {error}") from error
    if options.lane is LaneMode.ON and (reason := _why_no_lane(options, players)):
        raise UsageError(f"ERROR: --lane on goes {reason}")
    told = environment.get(LANE_VARIABLE) or LaneMode.AUTO.value
    lane = options.lane or lane_mode(told, LANE_VARIABLE)
    if options.live is not None:
        if not options.log:
            raise UsageError("ERROR: --live shows the log, which -l leaves out")
        options = replace(options, transactions=True)
    return replace(options, hands=hands, seed=seed, names=tuple(names), tokens=tokens, lane=lane)


def _why_no_lane(options: Options, players: int) -> str | None:
    """Return why the options rule out the lane, None where they do not."""
    if options.events is not None:
        return "without --events: the lane reports no events"
    if options.serve is not None and not options.quiet:
        return "with -q where there is --serve: matches share standard error"
    for seat in range(players):
        response, _, _ = options.limits_of(seat)
        if response is not None and response < SHORTEST_LIMIT_MS:
            return f"with --t_response {SHORTEST_LIMIT_MS} or more, not {response}"
    return None


_WITH: Final[dict[str, Callable[[Options, str], Options]]] = {
    "f": lambda o, _: replace(o, fixed_seats=True),
    "l": lambda o, _: replace(o, log=False),
    "L": lambda o, _: replace(o, log=True),
    "t": lambda o, _: replace(o, transactions=False),
    "T": lambda o, _: replace(o, transactions=True),
    "a": lambda o, _: replace(o, append=True),
    "q": lambda o, _: replace(o, quiet=True),
    "p": lambda o, v: replace(o, ports=parse_ports(v), port_list=v),
    "serve": lambda o, v: replace(o, serve=matches(v)),
    "t_response": lambda o, v: replace(o, response_ms=milliseconds(v, "response timeout from")),
    "t_hand": lambda o, v: replace(o, hand_ms=milliseconds(v, "player hand timeout from")),
    "t_per_hand": lambda o, v: replace(
        o, per_hand_ms=milliseconds(v, "average player hand timeout from")
    ),
    "seat-limit": lambda o, v: replace(o, seat_limits=(*o.seat_limits, seat_limit(v))),
    "start_timeout": lambda o, v: replace(o, start_ms=milliseconds(v, "start timeout")),
    "listen": lambda o, v: replace(o, listen=address(v)),
    "reconnect": lambda o, v: replace(o, reconnect_s=seconds(v)),
    "invalid": lambda o, v: replace(o, invalid=invalid_mode(v)),
    "deals": lambda o, v: replace(o, deals=one_line(v)),
    "first-deal": lambda o, v: replace(o, first_deal=deal_number(v)),
    "events": lambda o, v: replace(o, events=v),
    "summary": lambda o, v: replace(o, summary=summary_path(v)),
    "waits": lambda o, v: replace(o, waits=open_file(v)),
    "lane": lambda o, v: replace(o, lane=lane_mode(v)),
    "live": lambda o, v: replace(o, live=page_port(v)),
    "ending-codes": lambda o, _: replace(o, ending_codes=True),
    "help": lambda o, _: replace(o, help=True),
}
_SHORT: Final = {**dict.fromkeys("flLtTaq", False), "p": True}
"""Short option -> takes a value."""
_REFERENCE_LONG: Final = ("t_response", "t_hand", "t_per_hand", "start_timeout")
_OWN_FLAGS: Final = ("ending-codes", "help")


def _getopt(argv: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (option, value) pairs and ("", word) for each word that is no option."""
    rest = iter(argv)
    for word in rest:
        if word == "--":
            for later in rest:
                yield "", later
        elif word.startswith("--"):
            given, equals, value = word[2:].partition("=")
            name = _long_name(given)
            if name in _OWN_FLAGS:
                if equals:
                    raise _unknown(f"option '--{name}' doesn't allow an argument")
            elif not equals:
                value = _next_value(rest, f"option '--{name}' requires an argument")
            yield name, value
        elif word.startswith("-") and len(word) > 1:
            yield from _cluster(word[1:], rest)
        else:
            yield "", word


def _cluster(letters: str, rest: Iterator[str]) -> Iterator[tuple[str, str]]:
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter not in _SHORT:
            raise _unknown(f"invalid option -- '{letter}'")
        if not _SHORT[letter]:
            yield letter, ""
            continue
        yield (
            letter,
            letters or _next_value(rest, f"option requires an argument -- '{letter}'"),
        )
        return


def _long_name(given: str) -> str:
    if given in _WITH and len(given) > 1:
        return given
    # The first match wins: the reference dealer takes even the ambiguous "--t" as t_response.
    for name in _REFERENCE_LONG:
        if given and name.startswith(given):
            return name
    raise _unknown(f"unrecognized option '--{given}'")


def _next_value(rest: Iterator[str], complaint: str) -> str:
    value = next(rest, None)
    if value is None:
        raise _unknown(complaint)
    return value


def _unknown(complaint: str) -> UsageError:
    return UsageError(f"dealer: {complaint}", "ERROR: unknown option ?")
