"""The bots of the pool: each a name, a place in the plane and a row of numbers.

The plane is tightness, the share of hands played, by aggression, the share of those played that are
raised.  O1..O4 are pronounced and can be beaten by much.  O5..O8 less so, for they answer a bet by
its size, its street and what came before it.  O_random wanders over the plane.  The four of Li and
Miikkulainen (see `laws`) have their own names; three are O1..O3, O4 plays fewer hands than the
fourth.

Any other point of the plane goes by the name plane-PLAYED-RAISED, with -BLUFF, -SLOW, -PRESSURE and
-SIZE behind it if wanted, in percent.  It raises by SIZE / 2 to SIZE of the pot; if no size is
named, by half to all of it as O6 does.  Data only: whatever lists, seats or measures the bots of
the pool reads `POOL`, and it can be read without numpy.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from agents.errors import GameNotPlayed
from agents.roster.plane import (
    EVERYWHERE,
    LOOSE_AGGRESSIVE,
    LOOSE_WEAK,
    TIGHT_AGGRESSIVE,
    TIGHT_WEAK,
    quadrant_of,
)
from engine.rules.pots import most_chips

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

PERIOD_HANDS: Final = 500
"""A wanderer stays so long at one point: Zhang et al."""


@dataclass(frozen=True, slots=True)
class ScriptedProfile:
    """A row of numbers for `agents.opponents.laws`, in words; chances and shares are 0..1."""

    name: str
    summary: str
    """What it does, after the name in a sentence."""
    quadrant: str
    law: str = "band"
    """band, wanderer, limper, caller, maniac or candid."""
    played: float = 1.0
    """Share of all hands that it continues with, facing a bet; with pressure, one of no price."""
    raised: float = 0.0
    """Share of those that it raises."""
    bluff: float = 0.0
    """Chance that it raises one of the weakest hands instead of giving it up."""
    small: float = 0.5
    """Raises are uniform between `small` and `large` pots."""
    large: float = 0.5
    slow: float = 0.0
    """Chance that it calls, before the last street, with a hand that it raises."""
    pressure: float = 0.0
    """How fast it gives up hands as a call costs more, 0 or more; 0: it answers all bets alike."""
    power: float = 7.0
    """A candid one puts in p to this power of its stack."""
    same_as: str | None = None
    """The bot that plays the same under another name."""

    @property
    def period(self) -> int:
        """Hands for which it plays alike, 1 where it always does."""
        return PERIOD_HANDS if self.law == "wanderer" else 1

    @property
    def one_size(self) -> bool:
        """Whether it plays every hand alike, with one size of a raise at each decision."""
        return self.period == 1 and (self.law != "band" or self.small == self.large)

    def __post_init__(self) -> None:
        for what in ("played", "raised", "bluff", "slow"):
            if not 0 <= getattr(self, what) <= 1:
                raise ValueError(f"{what} {getattr(self, what)}: want a share or chance, 0 to 1")
        if not 0 < self.small <= self.large < math.inf:
            raise ValueError(
                f"raises of {self.small} to {self.large} pots: want 0 < small <= large"
            )
        if not 0 <= self.pressure < math.inf:
            raise ValueError(f"pressure {self.pressure}: want 0 or more")
        if not 0 < self.power < math.inf:
            raise ValueError(f"power {self.power}: want more than 0")
        if self.law not in LAWS:
            raise ValueError(f"no law is called {self.law!r}; there are: {', '.join(LAWS)}")


LAWS: Final = ("band", "wanderer", "limper", "caller", "maniac", "candid")
"""In the order of their numbers in `agents.opponents.laws`."""

_PLANE: Final = re.compile(r"plane(?:-[0-9]{1,3}){2,5}|plane(?:-[0-9]{1,3}){5}-[0-9]{1,4}")
_PERCENT: Final = 100

_PRONOUNCED: Final = (
    ScriptedProfile(
        "O1",
        "limps and checks; calls a raise with chance p ** 50, p its equity against a random hand",
        TIGHT_WEAK,
        law="limper",
    ),
    ScriptedProfile("O2", "checks and calls every time", LOOSE_WEAK, law="caller"),
    ScriptedProfile(
        "O3",
        "raises by the pot, raises again by twice the pot, until all-in",
        LOOSE_AGGRESSIVE,
        law="maniac",
        raised=1.0,
    ),
)
_BY_NAME: Final = ("scared-limper", "calling-machine", "hothead-maniac")

POOL: Final = (
    *_PRONOUNCED,
    ScriptedProfile(
        "O4",
        "puts p ** 8 of its stack into the pot, so its bets tell its hand",
        TIGHT_AGGRESSIVE,
        law="candid",
        power=8.0,
    ),
    ScriptedProfile(
        "O5",
        "plays most hands, but fewer the more a bet asks; raises half the pot with one of five",
        LOOSE_WEAK,
        played=0.85,
        raised=0.2,
        pressure=1.0,
    ),
    ScriptedProfile(
        "O6",
        "plays most hands, some fewer as bets grow, raises two of three, bluffs now and then",
        LOOSE_AGGRESSIVE,
        played=0.75,
        raised=0.50 / 0.75,
        pressure=0.5,
        bluff=0.2,
        large=1.0,
    ),
    ScriptedProfile(
        "O7",
        "plays few hands, fewer the more a bet asks; raises half the pot with one of five of them",
        TIGHT_WEAK,
        played=0.45,
        raised=0.08 / 0.40,
        pressure=1.0,
    ),
    ScriptedProfile(
        "O8",
        "plays a third of its hands, some fewer as bets grow, raises most of them, bluffs seldom",
        TIGHT_AGGRESSIVE,
        played=0.45,
        raised=0.30 / 0.45,
        pressure=0.5,
        bluff=0.1,
        large=1.0,
    ),
    ScriptedProfile(
        "O_random",
        "plays like another point of the plane every 500 hands",
        EVERYWHERE,
        law="wanderer",
        large=1.0,
    ),
    *(
        ScriptedProfile(
            name,
            profile.summary,
            profile.quadrant,
            profile.law,
            raised=profile.raised,
            same_as=profile.name,
        )
        for name, profile in zip(_BY_NAME, _PRONOUNCED, strict=True)
    ),
    ScriptedProfile(
        "candid-statistician",
        "puts p ** 7 of its stack into the pot, so its bets tell its hand",
        LOOSE_AGGRESSIVE,
        law="candid",
    ),
)


def find_character(name: str) -> ScriptedProfile:
    """Return the bot of the pool, or the point of the plane, called `name`.

    Raises:
        ValueError: there is none.
    """
    for character in POOL:
        if character.name == name:
            return character
    point = plane_character(name)
    if point is not None:
        return point
    names = ", ".join(character.name for character in POOL)
    raise ValueError(f"no bot of the pool is called {name!r}; there are: {names}")


def plane_character(name: str) -> ScriptedProfile | None:
    """Return the point of the plane called `name`, see the module; None where it names none."""
    if _PLANE.fullmatch(name) is None:
        return None
    given = [int(percent) / _PERCENT for percent in name.split("-")[1:]]
    played, raised, bluff, slow, pressure = (*given, 0.0, 0.0, 0.0)[:5]
    size = given[5] if len(given) > 5 else 1.0
    if max(given[:5]) > 1 or not size > 0:
        return None
    return ScriptedProfile(
        name,
        f"plays {played:.0%} of its hands, raises {raised:.0%} of them",
        quadrant_of(played, raised),
        played=played,
        raised=raised,
        bluff=bluff,
        small=size / 2,
        large=size,
        slow=slow,
        pressure=pressure,
    )


def parameters(character: ScriptedProfile, game: GameDef, seed: int = 0) -> NDArray[np.float64]:
    """Return the row for `agents.opponents.laws`, (PARAMS,) float64.

    `seed` moves the wanderer only.

    Raises:
        GameNotPlayed: the game is not heads-up hold'em.
    """
    import numpy as np

    check_holdem_for_two(game)
    seeds = np.random.SeedSequence(seed).generate_state(1)
    return np.array(
        [
            LAWS.index(character.law),
            character.played,
            character.raised,
            character.bluff,
            character.small,
            character.large,
            character.slow,
            most_chips(game),
            int(seeds[0]),
            character.pressure,
            character.power,
        ]
    )


def check_holdem_for_two(game: GameDef) -> None:
    """Raise GameNotPlayed where the game is not hold'em for two."""
    if game.players != 2 or not game.is_holdem:
        raise GameNotPlayed("the bots of the pool play hold'em for two")
