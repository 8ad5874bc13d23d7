"""Speed of `arena rate` on duplicate logs with all-ins, two cores; unit: seconds for all hands."""

import time

import numpy as np
import pytest

from dealer.ratings import rate_command
from protocol.gamedefs import builtin_path, load_builtin
from tests.benchmarks.timing import note
from tests.helpers.random_logs import random_log

HANDS = 2_500
COPIES = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write 200 000 hands: a match in both seatings, under the names of forty pairs of players."""
    path = tmp_path_factory.mktemp("rated")
    game, file = load_builtin("hunl"), builtin_path("hunl").name
    for seating, names in enumerate((("Ann", "Bob"), ("Bob", "Ann"))):
        random = np.random.default_rng(seating)
        lines = random_log(game, 5, HANDS, random, names=names, game_name=file)
        text = "\n".join(lines) + "\n"
        for copy in range(COPIES):
            renamed = text.replace("Ann", f"Ann{copy}").replace("Bob", f"Bob{copy}")
            (path / f"{copy}.{seating}.log").write_text(renamed)
    return path


def bench_rating(benchmark, folder, capsys):
    """Every estimator and the consistency check; beside it, a plain pass that only splits lines."""
    arguments = [str(folder), "--csv", "-"]

    def rate():
        assert rate_command.main(arguments) == 0

    rate()  # compiles
    benchmark.pedantic(rate, rounds=5, iterations=1)
    rows = capsys.readouterr().out.splitlines()
    assert any(f",{HANDS},{2 * HANDS}," in row for row in rows), "sets of both seatings"
    start = time.perf_counter()
    fields = 0
    for log in folder.glob("*.log"):
        with log.open("rb") as lines:
            fields += sum(len(line.split(b":")) for line in lines)
    plain = time.perf_counter() - start
    assert fields > 2 * HANDS * COPIES
    note(
        benchmark,
        hands_per_s=lambda median: 2 * HANDS * COPIES / median,
        times_as_long_as_splitting_the_lines=lambda median: median / plain,
    )
