"""One cause that explains all wrong hands of a match at once, where there is one.

Each rule below tries an explanation on a sample of the wrong hands and speaks only if it explains
every one of them; a few odd lines, or faults of several kinds mixed, get no diagnosis.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from engine.deals.deal_window import DealWindow
from engine.rules.dealing import MAX_SEED
from engine.showdown import hand_check as kinds
from engine.showdown.hand_check import check_hand
from protocol.errors import ProtocolError
from protocol.gamedefs import builtin_aliases, load_builtin
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord

MOST_SAMPLED_HANDS: Final = 64
_FEWEST: Final = 3
_FEWEST_NUMBERS: Final = 5
"""A damaged number does not follow the one before, nor the next one it."""
_STACKS_TRIED: Final = 8
_RAISES: Final = re.compile("r([0-9]{1,9})")
_SEEDS_TRIED_EACH_SIDE: Final = 100
_SHIFTS_TRIED: Final = 1000
_MOST_ID_FOR_SEEDS: Final = 50_000
"""Further on dealing takes long."""


@dataclass(frozen=True, slots=True)
class WrongHand:
    """A hand in which something is wrong."""

    line: int
    """In the log, 1-based."""
    number: int
    """Of hands of the match before it."""
    record: HandRecord
    kinds: frozenset[int]
    """What is wrong, as in `engine.showdown.hand_check`."""
    expected: tuple[tuple[str, ...], ...] = ()
    """Names by position that the seats give, for each way to seat that is left."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a match with faults."""

    game: GameDef
    seed: int | None
    hands: int
    wrong: Sequence[int]
    """(KINDS,) hands with faults of each kind."""
    sample: Sequence[WrongHand]
    """The first `MOST_SAMPLED_HANDS` wrong hands that could be read."""


def diagnose(evidence: Evidence) -> list[str]:
    """Return sentences on what all wrong hands have in common; empty where nothing was found."""
    sample = [hand for hand in evidence.sample if kinds.UNREADABLE not in hand.kinds]
    texts: list[str] = []
    texts += _about_game(evidence)
    if not texts and len(sample) >= _FEWEST:
        texts += _about_values(evidence, [hand for hand in sample if kinds.VALUES in hand.kinds])
    texts += _about_deals(evidence, [hand for hand in sample if kinds.DEALS in hand.kinds])
    texts += _about_names(evidence, [hand for hand in sample if kinds.NAMES in hand.kinds])
    texts += _about_ids(evidence)
    return texts


def _since(evidence: Evidence, hands: Sequence[WrongHand], kind: int) -> str | None:
    """Return from where on every hand has a fault of a kind, None where not all have."""
    first = hands[0]
    if evidence.wrong[kind] != evidence.hands - first.number:
        return None
    return "every hand" if not first.number else f"every hand from line {first.line} on"


def _about_game(evidence: Evidence) -> list[str]:
    concerned = {kinds.UNREADABLE, kinds.BETTING, kinds.CARDS, kinds.VALUES}
    records = [hand.record for hand in evidence.sample if hand.kinds & concerned]
    wrong = max(evidence.wrong[kind] for kind in concerned)
    several = len(records) >= _FEWEST
    if not several and not all(hand.kinds == {kinds.BETTING} for hand in evidence.sample):
        return []
    others = [_other_stacks(evidence.game, records)]
    if several and 20 * wrong >= evidence.hands:
        others.insert(0, _other_games(evidence.game, records))
    for game, change in chain.from_iterable(others):
        if not any(check_hand(game, record).faults for record in records):
            return [f"wrong game? the hands that are wrong are right with {change}"]
    return []


def _other_stacks(game: GameDef, records: Sequence[HandRecord]) -> Iterator[tuple[GameDef, str]]:
    """Yield the game with other stacks: those of a built-in one, or the most that anybody bet.

    Hands that are wrong are mostly those with an all-in, however few they are.
    """
    if not game.no_limit:
        return
    usual = "/".join(f"{stack:,}" for stack in dict.fromkeys(game.stacks))
    for name in builtin_aliases():
        candidate = load_builtin(name)
        if candidate != game and replace(candidate, stacks=game.stacks) == game:
            yield candidate, f"--game {name}, whose stacks are {candidate.stacks[0]:,}, not {usual}"
    sizes = {int(size) for record in records for size in _RAISES.findall(record.betting)}
    for size in sorted(sizes, reverse=True)[:_STACKS_TRIED]:
        if size >= max(game.blinds):
            candidate = replace(game, stacks=(size,) * game.players)
            yield candidate, f"stacks of {size:,}; the game has {usual}"


def _other_games(game: GameDef, records: Sequence[HandRecord]) -> Iterator[tuple[GameDef, str]]:
    for name in builtin_aliases():
        candidate = load_builtin(name)
        if candidate != game:
            yield candidate, f"--game {name}"
    most = max((abs(float(value)) for record in records for value in record.values), default=0.0)
    for record in records:
        if set(record.betting) != {"f"} or len(record.values) != game.players:
            continue
        paid = [-float(value) for value in record.values if float(value) < 0]
        due = [
            blind
            for blind, value in zip(game.blinds, record.values, strict=True)
            if float(value) < 0
        ]
        if not paid or not all(due):
            continue
        factor = paid[0] / due[0]
        blinds = tuple(round(blind * factor) for blind in game.blinds)
        if factor == 1 or blinds != tuple(blind * factor for blind in game.blinds):
            return
        sizes = tuple(round(size * factor) for size in game.raise_sizes)
        blind_text = "/".join(str(blind) for blind in sorted(blinds) if blind)
        usual = "/".join(str(blind) for blind in sorted(game.blinds) if blind)
        scaled = tuple(min(round(stack * factor), 2**31 - 1) for stack in game.stacks)
        for stacks in (scaled, game.stacks, (max(round(most), max(blinds)),) * game.players):
            candidate = replace(game, blinds=blinds, raise_sizes=sizes, stacks=stacks)
            yield candidate, f"blinds {blind_text}; the game has {usual}"
        return


def _about_values(evidence: Evidence, hands: Sequence[WrongHand]) -> list[str]:
    pairs = []
    for hand in hands:
        values = check_hand(evidence.game, hand.record).values
        if values is None or len(values) != len(hand.record.values):
            return []
        pairs.append((hand.record, [float(text) for text in hand.record.values], values))
    if len(pairs) < _FEWEST:
        return []
    players = evidence.game.players
    of = (
        _since(evidence, hands, kinds.VALUES) or f"the {evidence.wrong[kinds.VALUES]:,} wrong hands"
    )

    def moved(by_seat: int, turn: int) -> bool:
        return all(
            _near(printed[(position + by_seat * record.hand_id + turn) % players], value)
            for record, printed, values in pairs
            for position, value in enumerate(values)
        )

    if all(_near(a, -b) for _, printed, values in pairs
           for a, b in zip(printed, values, strict=True)):  # fmt: skip
        what = "signs or seats" if players == 2 else "signs"
        return [f"the payoffs have their {what} exchanged in {of}"]
    for by_seat in (1, -1):
        if any(moved(by_seat, turn) for turn in range(players)):
            return [f"the payoffs stand by seat instead of by position in {of}"]
    if any(moved(0, turn) for turn in range(1, players)):
        return [f"the payoffs stand at other positions than the cards in {of}"]
    factor = next((a / b for _, printed, values in pairs
                   for a, b in zip(printed, values, strict=True) if b and a), 1.0)  # fmt: skip
    if factor != 1 and all(
        _near(a, factor * b) for _, printed, values in pairs
        for a, b in zip(printed, values, strict=True)
    ):  # fmt: skip
        return [f"the payoffs are {factor:g} times those of the betting in {of}: other units?"]
    return []


def _near(printed: float, value: float) -> bool:
    return abs(printed - value) <= 2e-6


def _about_deals(evidence: Evidence, hands: Sequence[WrongHand]) -> list[str]:
    game, seed = evidence.game, evidence.seed
    if len(hands) < _FEWEST or seed is None:
        return []
    since = _since(evidence, hands, kinds.DEALS)
    shown = [(hand.record.hand_id, _holes(game, hand.record)) for hand in hands]
    if since is None or any(holes is None for _, holes in shown):
        return []
    first_id = shown[0][0]
    deals = DealWindow(game, seed)
    dealt = {
        hand_id: _dealt(deals, hand_id)
        for hand_id in range(max(0, first_id - _SHIFTS_TRIED), first_id + _SHIFTS_TRIED)
    }
    shifts = [hand_id - first_id for hand_id, cards in dealt.items() if cards == shown[0][1]]
    for shift in shifts:
        if all(_dealt(deals, number + shift) == holes for number, holes in shown):
            which = f"{since} has the cards of the hand numbered {shift:+d}"
            return [f"{which}: hands lost or added?"]
    for turn in range(1, game.players):
        if all(
            (hole_cards := _dealt(deals, number)) is not None
            and holes is not None
            and holes == hole_cards[turn:] + hole_cards[:turn]
            for number, holes in shown
        ):
            return [f"{since} has its hole cards at other positions than they were dealt to"]
    if max(number for number, _ in shown) < _MOST_ID_FOR_SEEDS:
        for step in range(1, _SEEDS_TRIED_EACH_SIDE + 1):
            for other_seed in (seed - step, seed + step):
                if 0 <= other_seed <= MAX_SEED:
                    window = DealWindow(game, other_seed)
                    if all(_dealt(window, number) == holes for number, holes in shown):
                        return [f"wrong seed? {since} has the cards that seed {other_seed} deals, "
                                f"not {seed}"]  # fmt: skip
    if hands[0].number:
        return [f"no deal agrees from line {hands[0].line} on: do other hands begin there?"]
    return [f"no deal agrees with seed {seed}: wrong seed, or dealt by something else?"]


def _holes(game: GameDef, record: HandRecord) -> list[tuple[int, ...]] | None:
    try:
        return [tuple(hole) for hole in parse_card_text(record.cards, game).holes]
    except ProtocolError:
        return None


def _dealt(deals: DealWindow, hand_id: int) -> list[tuple[int, ...]] | None:
    if hand_id < 0 or not deals.move_to(hand_id):
        return None
    return deals.holes(hand_id)


def _about_names(evidence: Evidence, hands: Sequence[WrongHand]) -> list[str]:
    if len(hands) < _FEWEST or not hands[0].expected:
        return []
    if kinds.IDS in hands[0].kinds:
        return []  # seats follow from the number of the hand before, which may be the damage
    players = len(hands[0].expected[0])
    if any(len(hand.record.names) != players for hand in hands):
        return []  # a name too many is damage, not another name
    since = _since(evidence, hands, kinds.NAMES)
    where = since or f"{evidence.wrong[kinds.NAMES]:,} hands"
    names = set(hands[0].expected[0])
    if since and not names & {name for hand in hands for name in hand.record.names}:
        return [f"{since} is one of other players: do the hands of another match begin there?"]
    for way in range(len(hands[0].expected)):
        renamed: set[tuple[str, str]] = set()
        for hand in hands:
            if way < len(hand.expected):
                pairs = zip(hand.expected[way], hand.record.names, strict=True)
                renamed |= {(expected, now) for expected, now in pairs if expected != now}
        if len(renamed) == 1:
            [(expected, now)] = renamed
            if now not in names:
                return [f"{expected} is called {now} in {where}"]
    if all(sorted(hand.record.names) == sorted(names) for hand in hands):
        return [f"the players sit in other seats in {where}"]
    return []


def _about_ids(evidence: Evidence) -> list[str]:
    wrong = evidence.wrong
    alone = sum(wrong) == wrong[kinds.IDS]
    if not alone or wrong[kinds.IDS] < _FEWEST_NUMBERS:
        return []
    return [
        f"the hands are right, but {wrong[kinds.IDS]:,} of their numbers do not follow the one "
        "before: lines lost, doubled, sorted or put together from several logs?"
    ]
