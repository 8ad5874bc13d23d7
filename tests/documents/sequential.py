"""Tables of sequential tests: how often they are wrong, and how many hands they take."""

from typing import Any

from tests.documents.cells import data, number, percent, table


def _rows(population: dict[str, Any], name: str, fixed: int) -> list[list[str]]:
    rows = []
    for one in population["trials"]:
        wrong = one["wrong"]
        share = "-"
        if wrong is not None:
            low, high = (f"{100 * wrong[end]:.1f}" for end in ("low", "high"))
            share = f"{percent(wrong['value'])} ({low} to {high})"
        hands = (one["hands_mean"], one["hands_median"], one["hands_90_percent"], fixed)
        rows.append(
            [
                name,
                f"{one['true_mbb_per_hand']:.0f}",
                share,
                percent(one["accepted_h1"]["value"]),
                *(number(round(value)) for value in hands),
            ]
        )
    return rows


def errors() -> list[str]:
    """Return what simulated tests on made-up and on recorded samples came to."""
    rows = []
    for found in (data("sprt/made-up"), data("sprt/known-pair")):
        for population in found["populations"]:
            name = population["samples"] if found["block"] == 1 else "recorded"
            test = f"{found['test']['mbb0']:.0f} / {found['test']['mbb1']:.0f}"
            fixed = population["predicted_hands"]["fixed"]
            rows += [[row[0], test, *row[1:]] for row in _rows(population, name, fixed)]
    head = ["samples", "H0 / H1", "true", "wrong (95 %)", "H1"]
    return table([*head, "hands: mean", "half", "90 %", "fixed"], rows)
