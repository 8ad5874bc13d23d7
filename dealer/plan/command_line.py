"""Command lines of the dealer <-> plans: the reference dealer's arguments, then our own options.

    arena dealer MATCH GAMEDEF HANDS SEED NAME... [options]

Arguments are read as GNU getopt does it for the reference dealer: options may stand anywhere,
short ones may be clustered, long ones may be cut short.  Only the reference's long options can be
cut short, so that old scripts keep their meaning.

What no list of processes should show stands in the environment: the seed, and the seats' tokens.
`plan_from(command_words(plan), environment_of(plan), ...)` is `plan` again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from dealer.plan.match_plan import (
    SHORTEST_LANE_RESPONSE_MS,
    DealerPlan,
    LaneMode,
    MatchPlan,
    Records,
    SeatPlan,
)
from dealer.plan.options import (
    ABBREVIABLE_OPTIONS,
    MAX_HANDS,
    MAX_SEED,
    NAMED_AFTER_MATCH,
    OPTIONS,
    PORTS,
    SEATS,
    DealerOption,
    UsageError,
    field_of,
    lane_mode,
    leading_number,
    option_text,
    parse_ports,
    with_field,
)
from protocol.gamedef import MAX_PLAYERS

SEED_VARIABLE: Final = "ARENA_DEAL_SEED"
TOKENS_VARIABLE: Final = "ARENA_SEAT_TOKENS"
"""The tokens stand in seat order with commas between them; an empty one is none."""
LANE_VARIABLE: Final = "ARENA_LANE"
_IN_ENVIRONMENT: Final = "env:"
_LONGEST_TOKEN: Final = 100
_LEAST_WORDS: Final = 4
_DEFAULT_PLAN: Final = DealerPlan(MatchPlan("", "", 0, 0, (), Records(NAMED_AFTER_MATCH)))


def plan_from(
    argv: list[str], environment: Mapping[str, str], players: Callable[[str], int]
) -> DealerPlan | None:
    """Return the plan in a command line without the program's name; None: help is wanted.

    Args:
        environment: with the seed where it is given as env:NAME, the tokens and the lane's mode.
        players: returns how many play a game, by its name or file; may raise what it likes.

    Raises:
        UsageError: an option is unknown, or something cannot be used.
    """
    positional: list[str] = []
    given: dict[str, list[Any]] = {}
    for name, text in _getopt(argv):
        if not name:
            positional.append(text)
            continue
        option = OPTIONS[name]
        value = option.read(text) if option.metavar else option.sets
        given.setdefault(option.field, []).append(value)
    if OPTIONS["help"].field in given:
        return None
    if len(positional) < _LEAST_WORDS:
        raise UsageError(usage=True)
    clocks, ports = given.pop(SEATS, []), given.pop(PORTS, [""])[-1]
    plan = _DEFAULT_PLAN
    for field, values in given.items():
        plan = with_field(plan, field, values[-1])
    name, game, hands, seed, *names = positional
    match = replace(plan.match, name=name, game=game)
    match = replace(match, records=_with_names(match.records, name))
    count = players(game)
    if len(names) < count:
        raise UsageError(usage=True)
    if len(names) > count:
        listed = ", ".join(names)
        raise UsageError(f"ERROR: {len(names)} names for a game of {count} players: {listed}")
    match = replace(match, seats=tuple(map(SeatPlan, names)))
    _check_names(match)
    match = replace(match, seats=_with_clocks(match.seats, clocks))
    match = replace(match, hands=_hands(hands), seed=_seed(seed, environment))
    match = replace(match, seats=_with_tokens(match.seats, environment))
    plan = replace(plan, match=match, ports=parse_ports(ports, _ports(plan, count)))
    return _shown(_with_lane(plan, environment, lane_given=OPTIONS["lane"].field in given))


def command_words(plan: DealerPlan) -> list[str]:
    """Return the arguments that ask for a plan, without the program's name."""
    match = plan.match
    assert match.secret is None, "no dealer of its own plays these deals"
    seed = _IN_ENVIRONMENT + SEED_VARIABLE
    arguments = [match.name, match.game, str(match.hands), seed, *match.names]
    shown = replace(plan, match=replace(match, records=_without_names(match.records, match.name)))
    options = [argument for option in OPTIONS.values() for argument in _option_words(option, shown)]
    if any(argument.startswith("-") for argument in arguments):
        return [*options, "--", *arguments]
    return [*arguments, *options]


def environment_of(plan: DealerPlan) -> dict[str, str]:
    """Return what a dealer finds in its environment, beside the user's."""
    tokens = ",".join(seat.token for seat in plan.match.seats)
    return {SEED_VARIABLE: str(plan.match.seed), TOKENS_VARIABLE: tokens}


def _option_words(option: DealerOption, plan: DealerPlan) -> list[str]:
    """Return an option as often as a plan needs it."""
    if not option.field:
        return []
    value = field_of(plan, option.field)
    if option.field == SEATS:
        texts = [
            f"{number}:{clock.option}={clock.milliseconds}"
            for number, seat in enumerate(plan.match.seats, 1)
            for clock in seat.clocks
        ]
        return [word for text in texts for word in (option.word, text)]
    if value == field_of(_DEFAULT_PLAN, option.field):
        return []
    if not option.metavar:
        return [option.word] if value == option.sets else []
    if value is None or value == NAMED_AFTER_MATCH:
        return []  # of those options that have no value
    text = ",".join(map(str, value)) if option.field == PORTS else option_text(value)
    return [option.word, text]


def _with_names(records: Records, name: str) -> Records:
    """Return records that are named after the match, where they have no name of their own."""
    return replace(
        records,
        log=f"{name}.log" if records.log == NAMED_AFTER_MATCH else records.log,
        transactions=f"{name}.tlog"
        if records.transactions == NAMED_AFTER_MATCH
        else records.transactions,
    )


def _without_names(records: Records, name: str) -> Records:
    """Return records as the options have them."""
    return replace(
        records,
        log=NAMED_AFTER_MATCH if records.log == f"{name}.log" else records.log,
        transactions=NAMED_AFTER_MATCH
        if records.transactions == f"{name}.tlog"
        else records.transactions,
    )


def _check_names(match: MatchPlan) -> None:
    records = match.records
    written = [
        records.log or f"{match.name}.log",
        records.transactions or f"{match.name}.tlog",
        records.events,
        records.summary,
    ]
    paths = [os.path.abspath(path) for path in written if path and not path.startswith("/dev/")]
    if twice := next((path for path in paths if paths.count(path) > 1), None):
        raise UsageError(f"ERROR: two things are to be written to {twice}")
    for name in (match.name, match.game, *match.names):
        if "\n" in name or "\r" in name:
            raise UsageError(f"ERROR: invalid name {name!r}: it breaks the line")


def _with_clocks(seats: tuple[SeatPlan, ...], clocks: list[Any]) -> tuple[SeatPlan, ...]:
    if beyond := next((seat for seat, _ in clocks if seat >= len(seats)), None):
        raise UsageError(f"ERROR: --seat-limit of seat {beyond + 1}: there are {len(seats)} seats")
    return tuple(
        replace(plan, clocks=tuple(clock for seat, clock in clocks if seat == index))
        for index, plan in enumerate(seats)
    )


def _hands(text: str) -> int:
    hands = leading_number(text, MAX_HANDS)
    if not hands:
        raise UsageError(f"ERROR: invalid number of hands {text}")
    return hands


def _seed(text: str, environment: Mapping[str, str]) -> int:
    if text.startswith(_IN_ENVIRONMENT):
        text = environment.get(text.removeprefix(_IN_ENVIRONMENT), text)
    seed = leading_number(text, MAX_SEED)
    if seed is None:
        raise UsageError(f"ERROR: invalid random number seed {text}")
    return seed


def _with_tokens(
    seats: tuple[SeatPlan, ...], environment: Mapping[str, str]
) -> tuple[SeatPlan, ...]:
    tokens = [token.strip() for token in environment.get(TOKENS_VARIABLE, "").split(",")]
    if len(tokens) > max(len(seats), 1):
        problem = f"{TOKENS_VARIABLE} has {len(tokens)} tokens for {len(seats)} seats"
        raise UsageError(f"ERROR: {problem}")
    for number, token in enumerate(tokens, 1):
        visible = token.isascii() and token.isprintable() and " " not in token
        if not visible or len(token) > _LONGEST_TOKEN:
            raise UsageError(
                f"ERROR: {TOKENS_VARIABLE}: token {number} is not of visible ASCII characters, "
                f"{_LONGEST_TOKEN} at most"
            )
    tokens += [""] * (len(seats) - len(tokens))
    return tuple(replace(seat, token=token) for seat, token in zip(seats, tokens, strict=True))


def _ports(plan: DealerPlan, players: int) -> int:
    """Return how many ports of a list are read."""
    return MAX_PLAYERS if plan.serve is None else plan.serve * players


def _with_lane(plan: DealerPlan, environment: Mapping[str, str], *, lane_given: bool) -> DealerPlan:
    """Return a plan with the lane's mode of the environment where the options have none.

    A mode in the environment is for all dealers, as far as they can.
    """
    mode = plan.match.lane
    if not lane_given:
        mode = lane_mode(environment.get(LANE_VARIABLE) or LaneMode.AUTO.value, LANE_VARIABLE)
    if mode is LaneMode.ON and (reason := _why_no_lane(plan)):
        if lane_given:
            raise UsageError(f"ERROR: --lane on goes {reason}")
        mode = LaneMode.OFF
    return with_field(plan, OPTIONS["lane"].field, mode)


def _why_no_lane(plan: DealerPlan) -> str | None:
    """Return why a plan rules out the lane, None where it does not."""
    match = plan.match
    if match.records.events is not None:
        return "without --events: the lane reports no events"
    if plan.serve is not None and match.records.transcript:
        return "with -q where there is --serve: matches share standard error"
    for seat in range(len(match.seats)):
        response = match.limits_of(seat).t_response
        if 0 <= response < SHORTEST_LANE_RESPONSE_MS:
            return f"with --t_response {SHORTEST_LANE_RESPONSE_MS} or more, not {response}"
    return None


def _shown(plan: DealerPlan) -> DealerPlan:
    """Return a plan that has what a page needs, where there is one."""
    records = plan.match.records
    if plan.live is None:
        return plan
    if records.log is None:
        raise UsageError("ERROR: --live shows the log, which -l leaves out")
    transactions = records.transactions or f"{plan.match.name}.tlog"
    return with_field(plan, "match.records.transactions", transactions)


# The words.


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
            if not OPTIONS[name].metavar:
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
        if letter not in OPTIONS:
            raise _unknown(f"invalid option -- '{letter}'")
        if not OPTIONS[letter].metavar:
            yield letter, ""
            continue
        complaint = f"option requires an argument -- '{letter}'"
        yield letter, letters or _next_value(rest, complaint)
        return


def _long_name(given: str) -> str:
    if given in OPTIONS and len(given) > 1:
        return given
    # The first match wins: the reference dealer takes even the ambiguous "--t" as t_response.
    for name in ABBREVIABLE_OPTIONS:
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
