"""Tables of verdicts: how often one names the wrong winner, and what the betting test costs."""

import json
from typing import Any

from tests.documents.cells import ROOT, number, table

REPEATS = 500
EXTENSIONS = (0, 1, 2, 9)


def _cells(kind: str) -> dict[str, dict[int, dict[str, Any]]]:
    """Return what was measured by population and number."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for line in (ROOT / "docs/data/verdicts.jsonl").read_text(encoding="utf-8").splitlines():
        cell = json.loads(line)
        what, name, number_of = cell["cell"]
        if what == kind:
            found.setdefault(name, {})[number_of] = cell
    return found


def _percent(wrong: int) -> str:
    return f"{100 * wrong / REPEATS:.1f} %"


def errors() -> list[str]:
    """Return a line for each population; of the betting test the worst number of samples."""
    rows = []
    for name, sizes in _cells("wrong").items():
        worst = max(cell["betting"][EXTENSIONS.index(9)] for cell in sizes.values())
        t_test = [sizes[size]["t_test"][0] for size in (100, 1000, 10_000)]
        extended = sizes[1000]["t_test"][1:]
        rows.append([name, *map(_percent, (worst, *t_test, *extended))])
    head = ["samples", "betting, at most", "t: 100", "1000", "10 000"]
    return table([*head, "t: 1000 and 1 more", "2 more", "9 more"], rows)


def costs() -> list[str]:
    """Return a line for each population and true win rate."""
    rows = [
        [
            name,
            str(mean),
            number(round(cell["sd"])),
            number(cell["betting"]),
            number(cell["t_test"]),
            f"{cell['betting'] / cell['t_test']:.1f}",
            f"{cell['decided_of_100']} %",
        ]
        for name, means in _cells("cost").items()
        for mean, cell in means.items()
    ]
    head = ["samples", "true, mbb/h", "SD", "betting", "t test", "ratio", "decided"]
    return table(head, rows)
