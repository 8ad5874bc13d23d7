"""How often a verdict names the wrong winner, and how many hands the betting test costs.

Draws matches from populations of samples (mbb/h), looks at each after N samples and after 1, 2 and
9 extensions by N more, and counts those in which any look names somebody who is not better.  Then
finds how many samples decide 80 of 100 matches.  All draws follow from the names.  Each cell is a
line of the result; what the result has already is not drawn again.  Takes three minutes.
"""

import json
import math
import tempfile
import zlib
from functools import partial
from pathlib import Path

import numpy as np

from dealer.commands.match import main as play_match
from dealer.results.aivat import MatchEstimates
from dealer.results.match_result import hands_of_match
from dealer.series.logs import MatchLogs
from dealer.series.manifest import read_manifest
from engine.estimates.betting import betting_p_value, samples_wanted
from engine.estimates.significance import FEWEST_SAMPLES, SIGNIFICANCE_LEVEL, t_p_value
from engine.estimates.winrate import win_rate
from protocol.gamedef import parse_gamedef
from tests.conftest import SHARED

STACK = 200_000.0
"""mbb."""
SIZES = (30, 100, 1000, 10_000)
EXTENSIONS = (0, 1, 2, 9)
MEANS = (50, 200, 1000)
DEEPSTACK = SHARED / "data" / "deepstack" / "hands.log"
AIVAT_HANDS = 1500
"""Of each of two legs."""
SMALL = {"repeats": 2}


def nit_and_thief(rng, size):
    """Folds all but aces and kings and shoves those, against one that raises and calls all."""
    shoves = rng.random(size) < 12 / 1326
    all_in = np.where(rng.random(size) < 0.825, STACK, -STACK)
    return np.where(shoves, all_in, np.where(np.arange(size) % 2, -1000.0, -500.0))


def rare(chance, won):
    """A chip in every hand, and a stack the other way with a small chance."""

    def draw(rng, size):
        samples = np.where(rng.random(size) < chance, -STACK, 10.0)
        return samples if won else -samples

    return draw


def student(rng, size):
    """Fair, with heavy tails."""
    return np.clip(9000 / math.sqrt(3) * rng.standard_t(3, size), -STACK, STACK)


def bursts(rng, size):
    """Fair sets whose spread depends on the ones before, as where bots learn."""
    spread = np.exp(np.convolve(rng.normal(0, 0.4, size + 19), np.ones(20) / 4, "valid"))
    return np.clip(5000 * spread * rng.standard_normal(size), -STACK, STACK)


def deepstack():
    """What DeepStack won in each hand of the log at hand, mbb; None without it."""
    if not DEEPSTACK.is_file():
        return None
    won = []
    for line in DEEPSTACK.read_text(encoding="utf-8").splitlines():
        if line.startswith("STATE:"):
            *_, chips, names = line.split(" #")[0].split(":")
            seat = names.split("|").index("DeepStack")
            won.append(1000 * float(chips.split("|")[seat]) / 100)
    return np.array(won)


def in_sets(bots):
    """Return (D, 2) what the first of two bots won in sets, by all-in expectation and AIVAT, mbb/h.

    A match of the two is played for it.
    """
    with tempfile.TemporaryDirectory() as name:
        words = ["--hands", str(AIVAT_HANDS), "--seed", "9", "--aivat", "--quiet", "--out", name]
        assert play_match([*bots, *words, "--force"]) == 0
        manifest = read_manifest(Path(name))
        logs = MatchLogs(manifest, parse_gamedef(manifest.game_text), Path(name))
        logs.read_new()
        estimates = MatchEstimates(logs.logs)
        estimates.read_all()
        played = hands_of_match(logs, lambda done: None, estimates.chips)
    chips = np.stack([played.set_means(kind, 0) for kind in ("allin", "aivat")], axis=1)
    return 1000 * chips / logs.game.big_blind


def drawn_from(samples):
    """Draws from recorded samples, shifted to mean 0."""
    fair = samples - samples.mean(axis=0)
    return lambda rng, size: fair[rng.integers(len(fair), size=size)]


def populations():
    """Return name -> (sign of the true mean, makes what draws samples, or None)."""
    log = deepstack()
    return {
        "nit against thief": (1, lambda: nit_and_thief),
        "a stack lost in 1000 hands": (-1, lambda: rare(0.001, won=True)),
        "a stack lost in 5000 hands": (-1, lambda: rare(0.0002, won=True)),
        "a stack won in 1000 hands": (1, lambda: rare(0.001, won=False)),
        "fair, Student's with 3 degrees": (0, lambda: student),
        "fair sets, in bursts": (0, lambda: bursts),
        "DeepStack's hands, recentred": (0, None if log is None else partial(drawn_from, log)),
        "AIVAT in sets, both known": (0, lambda: drawn_from(in_sets(["blueprint", "always-call"]))),
        "AIVAT in sets, none known": (0, lambda: drawn_from(in_sets(["rule", "uniform-random"]))),
    }


def betting_p(samples):
    """Return the p-value; samples that were shifted may be a little more than a stack."""
    most = max(STACK, float(np.abs(samples).max()))
    return betting_p_value(samples, most, most)


def named(samples):
    """Return whom the betting test and the t test name: 1, -1, or 0 for nobody.

    Of two columns the first has bounds and is for the betting test, the second is to quote.
    """
    bounded, quoted = (samples, samples) if samples.ndim == 1 else samples.T
    p = betting_p(np.ascontiguousarray(bounded))
    rate = win_rate(quoted, 1000)
    t = t_p_value(rate) if len(samples) >= FEWEST_SAMPLES else None
    return (
        int(np.sign(bounded.mean())) * (p < SIGNIFICANCE_LEVEL),
        int(np.sign(quoted.mean())) * (t is not None and t < SIGNIFICANCE_LEVEL),
    )


def wrong_winners(name, sign, draw, size, repeats):
    """Return matches of `repeats`, by extensions, in which either test was wrong at any look."""
    wrong = np.zeros((len(EXTENSIONS), 2), int)
    for repeat in range(repeats):
        rng = np.random.default_rng([zlib.crc32(name.encode()), size, repeat])
        samples = draw(rng, size * (EXTENSIONS[-1] + 1))
        looks = [named(samples[: size * (more + 1)]) for more in range(EXTENSIONS[-1] + 1)]
        erred = np.array([[who not in (0, sign) for who in look] for look in looks])
        wrong += np.array([erred[: more + 1].any(axis=0) for more in EXTENSIONS])
    return {"betting": wrong[:, 0].tolist(), "t_test": wrong[:, 1].tolist()}


def cost(draw, mean):
    """Return how many samples decide 80 of 100 matches by both tests, where the true mean is so."""
    fair = draw(np.random.default_rng(1), 1 << 18)
    sd = float(fair.std())
    betting = samples_wanted(mean, sd, STACK, SIGNIFICANCE_LEVEL, 0.8)
    t_test = math.ceil(((1.959964 + 0.841621) * sd / mean) ** 2)
    decided = 0
    for repeat in range(100):
        samples = draw(np.random.default_rng([2, repeat]), betting) + mean
        decided += betting_p(samples) < SIGNIFICANCE_LEVEL
    return {"sd": sd, "betting": betting, "t_test": t_test, "decided_of_100": decided}


def add_options(parser):
    """Add how many matches are drawn."""
    parser.add_argument("--repeats", type=int, default=500, help="matches of a cell")


def result_name(options):
    """Return the file of the result."""
    return "verdicts.jsonl"


def run(options):
    """Return all cells, those drawn that neither the result nor the work folder has."""
    done = options.work / "cells.jsonl"
    done.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        json.loads(line)
        for path in (options.out, done)
        if path.is_file()
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    cells = {tuple(row["cell"]): row for row in rows}
    chosen, sizes, means = [*populations().items()], SIZES, MEANS
    if options.small:
        chosen, sizes, means = chosen[:5], SIZES[:1], MEANS[-1:]
    with done.open("a", encoding="utf-8") as file:
        for name, (sign, make) in chosen:
            wanted = [("wrong", name, size) for size in sizes]
            if name.startswith(("Deep", "fair,")):
                wanted += [("cost", name, mean) for mean in means]
            left = [cell for cell in wanted if cell not in cells]
            if make is None or not left:
                continue
            draw = make()
            for cell in left:
                kind, _, number = cell
                if kind == "wrong":
                    facts = wrong_winners(name, sign, draw, number, options.repeats)
                else:
                    facts = cost(draw, number)
                cells[cell] = {"cell": list(cell), **facts}
                print(json.dumps(cells[cell]), file=file, flush=True)
    return list(cells.values())
