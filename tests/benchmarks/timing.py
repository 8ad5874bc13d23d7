"""What benchmarks note beside their times, and how long their baselines take."""

import time


def note(benchmark, **facts):
    """Note what each function makes of the median, seconds; nothing where all is only tried out."""
    if benchmark.stats is not None:
        median = benchmark.stats.stats.median
        benchmark.extra_info.update({name: of(median) for name, of in facts.items()})


def seconds_of(work, *arguments, repeats=1, choose=min):
    """Return the time of a call, chosen among those of some."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work(*arguments)
        times.append(time.perf_counter() - start)
    return choose(times)
