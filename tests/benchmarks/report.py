"""Turns what pytest-benchmark measured into a table and a small file per machine.

    python -m tests.benchmarks.report RAW.json FOLDER

Every number that a benchmark put into `benchmark.extra_info` is shown beside its median time; names
say the unit (`hands_per_s`) or start with `ratio_` for a quotient of two times of the same run, the
only figures that mean something on another machine.  FOLDER/<machine>.json is rewritten: entries of
benchmarks that were not run this time are kept.
"""

import json
import os
import platform
import re
import sys
from pathlib import Path
from typing import Any


def machine_name() -> str:
    """Return the processor's model and the number of usable cores, fit for a file name."""
    model = platform.machine()
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    if found is not None:
        model = re.sub(r"\((R|TM)\)|\bCPU\b|@.*", "", found[1])
    return f"{re.sub('[^a-z0-9]+', '-', model.lower()).strip('-')}-{usable_cores()}-cores"


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def condensed(raw: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return {benchmark: figures} from pytest-benchmark's report."""
    return {
        entry["fullname"].removeprefix("tests/benchmarks/"): {
            "median_s": entry["stats"]["median"],
            "rounds": entry["stats"]["rounds"],
            **entry["extra_info"],
        }
        for entry in raw["benchmarks"]
    }


def shown(value: float) -> str:
    """Return a figure with as many digits as are worth reading."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(results: dict[str, dict[str, float]]) -> str:
    """Return the figures as text, one benchmark a line."""
    width = max((len(name) for name in results), default=0)
    lines = []
    for name, figures in results.items():
        others = "  ".join(
            f"{key} {shown(value)}"
            for key, value in figures.items()
            if key not in ("median_s", "rounds")
        )
        lines.append(f"{name:{width}}  {figures['median_s'] * 1e3:12,.3f} ms  {others}".rstrip())
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Print the table and update the machine's file."""
    raw_path, folder = map(Path, argv)
    results = condensed(json.loads(raw_path.read_text(encoding="utf-8")))
    print(table(results))
    path = folder / f"{machine_name()}.json"
    before = json.loads(path.read_text(encoding="utf-8"))["results"] if path.exists() else {}
    document = {
        "machine": machine_name(),
        "python": platform.python_version(),
        "results": dict(sorted({**before, **results}.items())),
    }
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print(f"written to {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
