"""Our dealer beside the original one, with the original's players; see `against_original`."""

import statistics
import subprocess
import sys

import pytest

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
