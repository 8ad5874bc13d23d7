"""Scripts that look at no card."""

import numpy as np
import pytest

from engine.betting.policy import check_strategy
from engine.evaluation.blind_scripts import BLIND_SCRIPTS, blind_scripts, parse_script
from engine.rules.view import replay_betting
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")


NO_LIMIT = {
    # Calling and folding
    "C": "=c cc/r20000=c",
    "F": "=f c=c cc/r200=f",
    # Once a street, in pots after a call, then calling
    "100": "=r300 c=r300",
    "300": "r300=r2100 cc/=r700 cc/r700=r4900 cc/r700r4900=c cc/r700c/=r4900 r700r20000=c",
    "50": "cc/=r200",
    # Once, then folding
    "300f": "cc/=r700 cc/r700=r4900 cc/r700r1400=f cc/r700r1400c/r1500=r10500 r20000=f",
    # Wars
    "100w": "r300r900=r2700",
    "mw": "cc/r200r300r400r500=r600 r19950=r20000 r20000=c",
    # The smallest raise, all chips
    "m": "=r200 r300=r500 cc/cc/=r200",
    "mf": "r200r400=f",
    "a": "=r20000 r600=r20000",
    "af": "r20000=f",
    "500": "cc/r5000=r20000",
    # Only where nobody has bet, only where somebody has
    "300o": "=r700 r300=c cc/c=r700",
    "300fo": "cc/r200=f",
    "300r": "=c c=c cc/cr200=r1400",
    "300rf": "cc/r200r600r1000=f",
    "100rw": "cc/r200r600=r1800",
    # By seats
    "C/a": "=c c=r20000",
    "C,C,C,400/F,a": "cc/cc/cc/c=r900 r300=f cc/=r20000",
    # Street by street, the last word for all that follow
    "C,300f": "=c r300=c cc/=r700",
    "C,C,C,a": "cc/cc/=c cc/cc/cc/=r20000",
    "F,50": "c=c cc/cc/cc/=r200",
}
LIMIT = {
    "m": "=r rr=c",
    "300": "=r",
    "a": "crc/=r",
    "mf": "rr=f",
    "mw": "rr=r rrr=c",
    "C,m": "r=c",
    "F": "r=f",
}
"""Of a script: what it does after some betting."""


@pytest.mark.parametrize(
    ("game", "text", "cases"),
    [(game, *row) for game, rows in ((HUNL, NO_LIMIT), (HULHE, LIMIT)) for row in rows.items()],
)
def test_words_say_what_is_done(game, text, cases):
    """A bet before its own, after it, on the next street; in limit games there is one size."""
    script = parse_script(text)
    for case in cases.split(" "):
        betting, want = case.split("=")
        assert script.action(replay_betting(game, betting)).text == want, case


def test_all_combos_act_alike():
    """A policy whose rows are one action."""
    for script in BLIND_SCRIPTS:
        state = replay_betting(HUNL, "cc/")
        strategy = script.strategy(state, [0, 5, 10])
        check_strategy(strategy, state, [0, 5, 10])
        assert np.unique(strategy.probabilities).tolist() == [1.0]


def test_every_script_of_the_lists_has_its_own_play():
    """No script is the same as another one; those of limit games need no sizes."""
    for game in (HUNL, HULHE):
        scripts = blind_scripts(game)
        assert len({script.seats for script in scripts}) == len(scripts)
        assert all(parse_script(script.name) == script for script in scripts)
        assert {"C", "F", "m", "mw", "C,C,C,mf"} <= {script.name for script in scripts}
    assert not any(word in s.name for s in blind_scripts(HULHE) for word in "0a")
    assert {"300f", "C,a", "C,C,100w"} <= {script.name for script in blind_scripts(HUNL)}


@pytest.mark.parametrize(
    "text",
    [
        *("", "C,", "c", "C,f", "C,w", "CF", "0", "-50", "1e2", "50.5", "300fwf", "300or", "/"),
        *("C/x", "C,aa", "C, 300", "007", "\u0663", "100000", "9" * 5000, "C,C,script"),
    ],
)
def test_wrong_words_are_named(text):
    """The one street, however long, and what is wanted."""
    with pytest.raises(ValueError, match="want C, F or a size") as caught:
        parse_script(text)
    word = text.replace("/", ",").split(",")[-1][:40]
    assert f"on a street {word!r}: " in str(caught.value)
    assert len(str(caught.value)) < 200


def test_there_are_no_more_words_than_streets():
    """A fifth would never be played."""
    assert len(parse_script("C,C,C,300f").seats[0]) == 4
    with pytest.raises(ValueError, match=r"\b4\b.*\b5\b"):
        parse_script("C,C,C,C,300f")
