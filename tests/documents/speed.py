"""Tables of speed, from what `make bench` wrote on the machine that the documents name."""

from typing import Final

from tests.documents.cells import read, rounded, table

MACHINE: Final = "tests/benchmarks/results/amd-epyc-2-cores.json"
_DEALER: Final = "bench_dealer.py::bench_match_against_ping_pong"
_LANE: Final = "bench_lane.py::bench_lane"
_MANY: Final = "bench_original.py::bench_many_matches_against_the_original"
_VERIFY: Final = "bench_verify.py::bench_verify_with_deals"
_ACES: Final = "bench_equity.py::bench_aces_against_a_random_hand"
_RANGES: Final = "bench_range_solver.py::bench"
_LEDUC: Final = "bench_tabular.py::bench_leduc_iteration[cfr]"


def figure(benchmark: str, name: str, digits: int = 3, factor: float = 1) -> str:
    """Return a figure of a benchmark with so many significant digits, in units `factor` fewer."""
    return rounded(read(MACHINE)["results"][benchmark][name] * factor, digits)


def hands(benchmark: str, factor: float = 1) -> str:
    """Return the hands a second of a benchmark."""
    return figure(benchmark, "hands_per_s", factor=factor)


def seconds(benchmark: str) -> str:
    """Return the median time of a benchmark."""
    return figure(benchmark, "median_s", 2)


def dealer_speed() -> list[str]:
    """Return the speed of matches and of the log tools."""
    one_core, free = f"{_DEALER}[one_core]", f"{_DEALER}[free]"
    ratios = [figure(one, "ratio_to_bare_ping_pong", 2) for one in (one_core, free)]
    rows = [
        [
            "a no-limit match, the C template on both seats, all on one core",
            hands(one_core),
            f"{ratios[0]} of a bare asyncio ping-pong with as many messages",
        ],
        [
            "the same, placed by the operating system",
            hands(free),
            f"{ratios[1]} of that ping-pong",
        ],
    ]
    for game, title in (
        ("hunl", "heads-up no-limit"),
        ("hulhe", "heads-up limit"),
        ("nolimit6", "six-handed no-limit"),
    ):
        verify = f"{_VERIFY}[{game}]"
        ratio = figure(verify, "ratio_to_readable_checks")
        rows.append(
            [
                f"`--verify`, {title}, deals checked",
                hands(verify),
                f"{ratio} times the readable checks",
            ]
        )
    statistics = hands("bench_verify.py::bench_statistics")
    rows.append(["counting as `arena rate` does, without all-in expectation", statistics, ""])
    return table(["work", "hands/s", "ratio"], rows)


def lane_speed() -> list[str]:
    """Return the speed of matches in the fast lane and without."""
    bare = f"{_LANE}_against_ping_pong_in_c"
    own = f"{_LANE}_between_our_own_bots"
    matches = {
        "the C template on both seats, all on one core": f"{bare}[one_core-1]",
        "the same, placed by the operating system": f"{bare}[free-1]",
        "the same, four matches at once": f"{bare}[free-4]",
        "`always-call` against itself, placed by the system": f"{own}[always-call always-call]",
        "`blueprint` against `rule`, placed by the system": f"{own}[blueprint rule]",
    }
    results = read(MACHINE)["results"]
    rows = []
    for title, one in matches.items():
        ratios = ["", ""]
        if "ratio_to_ping_pong_in_c" in results[one]:
            ratios = [
                figure(one, f"ratio_to_ping_pong_in_c{which}", 2) for which in ("", "_without")
            ]
        rows.append(
            [
                title,
                *(figure(one, f"hands_per_s{which}") for which in ("", "_without")),
                figure(one, "ratio_to_without", 2),
                *ratios,
                *(figure(one, f"cpu_us_per_hand{which}") for which in ("", "_without")),
            ]
        )
    heads = [
        *("match", "hands/s in the lane", "without", "ratio"),
        *("of a bare ping-pong in C", "without", "dealer, us a hand", "without"),
    ]
    return table(heads, rows)


def many_speed() -> list[str]:
    """Return the speed of many matches at once, and that of as many original dealers."""
    rows = []
    for matches, played in ((4, 5000), (20, 1000), (200, 300)):
        one = f"{_MANY}[{matches}-{played}]"
        rows.append(
            [
                f"{matches} of {played} hands",
                figure(one, "original_hands_per_s"),
                figure(one, "hands_per_s"),
                figure(one, "ratio_to_original"),
                *_both(one, "dealers_us"),
                *_both(one, "players_us"),
                figure(one, "slowest", 2),
                *_both(one, "match_kb"),
            ]
        )
    heads = [
        *("matches", "original, hands/s", "ours", "ratio", "dealers, us a hand", "ours"),
        *("players, us a hand", "with ours", "slowest match", "kB a match", "ours"),
    ]
    return table(heads, rows)


def _both(benchmark: str, name: str) -> list[str]:
    return [figure(benchmark, f"original_{name}", 3), figure(benchmark, name, 3)]


def engine_speed() -> list[str]:
    """Return the speed of the engine's parts."""
    return table(["work", "figure", "ratio"], [*_hands(), *_solving(), _local_best_response()])


def _hands() -> list[list[str]]:
    random = "bench_evaluator.py::bench_random_hands"
    phevaluator = figure(random, "ratio_to_phevaluator", 2)
    eval7 = figure(random, "ratio_to_eval7")
    every = hands("bench_evaluator.py::bench_all_hands", 1e-6)
    looked_up = figure(f"{_ACES}_looked_up", "median_s", 1, 1e3)
    return [
        [
            "7-card hands, random, ranks out",
            f"{hands(random, 1e-6)} M hands/s",
            f"{phevaluator} times phevaluator, {eval7} times eval7, both called from Python",
        ],
        ["all 7-card hands, one after the other, counted", f"{every} M hands/s", ""],
        [
            "aces against a random hand before the flop, exact",
            f"{seconds(f'{_ACES}_counted')} s, from the table {looked_up} ms",
            "",
        ],
    ]


def _solving() -> list[list[str]]:
    leduc = 1e3 / read(MACHINE)["results"][_LEDUC]["iterations_per_s"]
    spots = [
        (
            title,
            f"{figure(f'{_RANGES}_{iteration}', 'ms_per_iteration', 2)} ms an iteration, "
            f"0.3 % of the pot in {seconds(f'{_RANGES}_{accuracy}')} s",
            "",
        )
        for title, iteration, accuracy in (
            (
                "a river over full ranges, 32 decisions",
                "river_iteration[dcfr]",
                "river_accuracy[0.3]",
            ),
            (
                "a turn over full ranges, two threads",
                "turn_iteration[2-float32]",
                "turn_accuracy",
            ),
        )
    ]
    nodes = figure("bench_mccfr.py::bench_one_worker[equity]", "nodes_per_s", 2, 1e-6)
    workers = figure("bench_mccfr.py::bench_two_workers", "ratio_to_one_worker")
    return [
        [
            "Leduc hold'em, one iteration of CFR",
            f"{rounded(leduc, 2)} ms",
            f"{figure(_LEDUC, 'ratio_to_open_spiel_compiled')} times open_spiel's C++",
        ],
        *map(list, spots),
        [
            "external-sampling MCCFR, 20 120 decisions, 169/5000/1000/1000 buckets, one core",
            f"{nodes} M nodes/s",
            f"two workers: {workers} times one",
        ],
    ]


def cnn_speed() -> list[str]:
    """Return the speed of Poker-CNN's parts, on one core."""
    bench = "bench_cnn.py::bench_"
    rows = [
        [
            "a log made records, decisions/s",
            figure(f"{bench}log_to_records", "states_per_s", 2),
            "",
        ],
        [
            "records made planes, decisions/s",
            figure(f"{bench}planes", "states_per_s", 2),
            f"{figure(f'{bench}planes', 'ratio_to_torch_loader', 2)} times a plain PyTorch loader",
        ],
        [
            "training, decisions/s",
            figure(f"{bench}training", "states_per_s", 2),
            f"{figure(f'{bench}training', 'ratio_to_mlp', 2)} times the perceptron on planes",
        ],
        [
            "a decision's forward pass, µs",
            figure(f"{bench}decision", "us_per_decision", 2),
            f"{figure(f'{bench}decision', 'ratio_to_torch', 2)} times as fast as the network in "
            f"PyTorch, {figure(f'{bench}decision', 'ratio_to_torch_mlp', 2)} times as the "
            "perceptron in PyTorch",
        ],
    ]
    return table(["", "one core", "beside"], rows)


def _local_best_response() -> list[str]:
    found = [
        result["hands_per_s"]
        for name, result in read(MACHINE)["results"].items()
        if name.startswith("bench_lbr.py::bench_lbr_against_always_call")
    ]
    ratio = figure("bench_lbr.py::bench_lbr_decision", "ratio_to_hand_by_hand")
    return [
        "local best response against always-call",
        f"{rounded(min(found), 2)} to {rounded(max(found), 2)} hands/s",
        f"{ratio} times hand by hand",
    ]
