"""Our dealer beside the original one, with the original's players.

See `against_original`, and `many_against_original` for many matches at once.
"""

import statistics
import subprocess
import sys
from dataclasses import fields

import pytest

from tests.benchmarks import many_against_original
from tests.benchmarks.against_original import LONG, SHORT, SOURCES, alternate, build, ratio

pytestmark = pytest.mark.skipif(
    not SOURCES.is_dir(), reason="the original dealer (../shared/tools/acpc_original) is not here"
)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The original, built, and the lane compiled."""
    subprocess.run([sys.executable, "-m", "dealer.lane.compiling"], check=True)
    return build(tmp_path_factory.mktemp("original"))


@pytest.mark.parametrize("hands", [SHORT, LONG])
@pytest.mark.parametrize("placing", ["one_core", "free"])
@pytest.mark.parametrize("options", [(), ("-q",)], ids=["loud", "quiet"])
def bench_against_the_original_dealer(benchmark, original, placing, hands, options):
    """No-limit matches in alternation; the median of three rounds, of two where they are long."""
    found = {}

    def rounds() -> None:
        number = 3 if hands == SHORT else 2
        one_core = placing == "one_core"
        found.update(alternate(original, hands, number, *options, one_core=one_core))

    benchmark.pedantic(rounds, rounds=1)
    info = benchmark.extra_info
    info["ratio_to_original"] = ratio(found)
    for name, key in (("ours", "hands_per_s"), ("original", "original_hands_per_s")):
        info[key] = statistics.median(one.hands_per_s for one in found[name])


@pytest.mark.parametrize(("matches", "hands"), [(4, 5000), (20, 1000), (200, 300)])
def bench_many_matches_against_the_original(benchmark, original, matches, hands):
    """So many no-limit matches at once, of so many hands, in turns; medians of three rounds."""
    seen = {}

    def rounds() -> None:
        seen.update(many_against_original.alternate(original, matches, hands, 3))

    benchmark.pedantic(rounds, rounds=1)
    info = benchmark.extra_info
    info["ratio_to_original"] = many_against_original.ratio(seen, "hands_per_s")
    for name, prefix in (("ours", ""), ("original", "original_")):
        for figure in fields(many_against_original.Hosted):
            values = [getattr(one, figure.name) for one in seen[name]]
            info[prefix + figure.name] = statistics.median(values)
