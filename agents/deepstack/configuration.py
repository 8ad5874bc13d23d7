"""What a data set of solved situations is made by: equal configurations make equal data.

Depths of stacks, by their share: half of all situations have the 200 big blinds of the usual game,
the others any of the depths that blueprints play.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.betting.bet_menu import BetMenu, parse_menu
from engine.cfr.variants import VARIANTS
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from protocol.gamedef import GameDef

PREFLOP: Final = 0
FLOP: Final = 1
TURN: Final = 2
RIVER: Final = 3
CARDS_OF_STREET: Final = (0, 3, 4, 5)
"""Of the board."""
BIG_BLIND_CHIPS: Final = 100
PARTS_OF_DEPTH: Final = {20: 1, 25: 1, 33: 1, 50: 1, 75: 1, 100: 1, 150: 1, 200: 7}
"""Stacks are in big blinds."""
SOURCES: Final = ("played", "searched", "perturbed", "random", "leaves", "asked")
"""Where ranges come from, by the number in a record; see `agents.deepstack.situations`."""


class _Usual(NamedTuple):
    """What is usual where situations are of one kind."""

    shares: Mapping[str, int]
    bets: str
    target: float
    most_iterations: int
    portions: int


_SHARES: Final = {"played": 30, "searched": 10, "perturbed": 20, "random": 25, "leaves": 15}
_UNSEARCHED: Final = {"played": 40, "perturbed": 20, "random": 25, "leaves": 15}
_FROM_SEARCHES: Final = {"perturbed": 35, "random": 30, "leaves": 35}
_USUAL: Final = {
    (RIVER, False): _Usual(_SHARES, "50,100,200,a;100,a;100,a;", 0.003, 4000, 1),
    (TURN, False): _Usual(_UNSEARCHED, "//75,a;a;/100;", 0.01, 1000, 3),
    (TURN, True): _Usual(_SHARES, "///75,a;a;", 0.015, 1000, 3),
    (FLOP, True): _Usual(_UNSEARCHED, "//75;a;/", 0.02, 100, 3),
    (PREFLOP, True): _Usual(_FROM_SEARCHES, "/75,a;a;//", 0.01, 200, 1),
}
"""By street, and whether its betting is over."""
_ON_WISH: Final = {(FLOP, True): {"asked"}}
"""Sources of which there are none unless a share is given."""
_DIGESTS: Final = ("network_sha256", "asked_sha256")


@dataclass(frozen=True, slots=True)
class Configuration:
    """See the module's text; all fields are plain values."""

    street: int = RIVER
    """On which all situations are, 0-based."""
    over: bool = False
    """Whether the street's betting is over and the next card to come; else the street begins."""
    seed: int = 1
    shares: Mapping[str, int] = field(default_factory=lambda: dict(_SHARES))
    """Source -> how many situations of each file, in parts of all shares."""
    policy: str = "blueprint"
    """Who plays to where situations begin, as `agents.roster.strategies` reads it."""
    bets: str = _USUAL[RIVER, False].bets
    """Sizes of bets in solves, as `engine.betting.bet_menu.parse_menu` reads them."""
    variant: str = "lcfr"
    """Of CFR.  Reached 0.3 % of the pot on ten random rivers in 285 iterations, `dcfr` in 388."""
    target: float = _USUAL[RIVER, False].target
    """Exploitability at which a solve ends, in pots."""
    most_iterations: int = _USUAL[RIVER, False].most_iterations
    """At which it ends, too."""
    portions: int = 1
    """Of the cards to come; see `engine.range_solver.portions`."""
    network: str = ""
    """File of the network of ends of the next street, where flops end or the betting before them;
    "": the shipped one."""
    network_sha256: str = ""
    """Of that file's content; "": of files of earlier versions it is not known."""
    asked_sha256: str = ""
    """Of the network whose searches ask, where such situations are drawn."""
    block: int = 500
    """Situations in a file."""

    @classmethod
    def of(cls, street: int, *, over: bool = False, **changes: Any) -> Configuration:
        """Return the usual configuration of a street or of its end, with some changes.

        Raises:
            ValueError: a change cannot be.
        """
        usual = _USUAL[street, over]._asdict()
        return cls(**{"street": street, "over": over, **usual, **changes})

    def __post_init__(self) -> None:
        """Refuse what cannot be.

        Raises:
            ValueError: a field is none of the values that it can have.
        """
        if (self.street, self.over) not in _USUAL:
            raise ValueError(f"street {self.street}: want {TURN} for the turn or {RIVER}")
        if self.network and self.street > FLOP:
            raise ValueError("a network is asked only where flops end, or the betting before them")
        if unknown := self.shares.keys() - set(SOURCES):
            raise ValueError(f"source {min(unknown)!r}: want {', '.join(SOURCES)}")
        if min(self.shares.values(), default=0) < 0 or not sum(self.shares.values()):
            raise ValueError("want sources with positive shares")
        kind = self.street, self.over
        known = _USUAL[kind].shares.keys() | _ON_WISH.get(kind, set())
        if late := self.shares.keys() - known:
            raise ValueError(f"source {min(late)!r}: there are none of it on this street")
        if self.variant not in VARIANTS:
            raise ValueError(f"variant {self.variant!r}: want {', '.join(VARIANTS)}")
        if not self.target > 0 or min(self.most_iterations, self.portions, self.block) < 1:
            raise ValueError("target, iterations, portions and block are positive")
        parse_menu(self.bets)

    @property
    def cards(self) -> int:
        """Of boards."""
        return CARDS_OF_STREET[self.street]

    @property
    def menu(self) -> BetMenu:
        """The bets of solves."""
        return parse_menu(self.bets)

    @property
    def counts(self) -> dict[str, int]:
        """Source -> its situations in a file; they come in this order."""
        total, done, counts = sum(self.shares.values()), 0, {}
        upto = 0
        for source in SOURCES:
            upto += self.shares.get(source, 0)
            counts[source] = round(self.block * upto / total) - done
            done += counts[source]
        return counts

    def facts(self) -> dict[str, Any]:
        """Return the fields, for JSON; where no digest is known, those of earlier versions."""
        facts = {**asdict(self), "shares": dict(self.shares)}
        unknown = {name for name in _DIGESTS if not facts[name]}
        return {name: value for name, value in facts.items() if name not in unknown}

    def differences(self, configuration: Configuration) -> list[str]:
        """Return "field: this and that" for all fields in which two configurations differ.

        An unknown digest is like any.
        """
        pairs = [
            (f.name, getattr(self, f.name), getattr(configuration, f.name)) for f in fields(self)
        ]
        return [
            f"{name}: {mine} and {two}"
            for name, mine, two in pairs
            if mine != two and not (name in _DIGESTS and "" in (mine, two))
        ]


def game_with_stacks(depth: int) -> GameDef:
    """Return no-limit hold'em for two with stacks of some big blinds of `BIG_BLIND_CHIPS` chips."""
    return replace(load_builtin("hunl"), stacks=(depth * BIG_BLIND_CHIPS,) * 2)
