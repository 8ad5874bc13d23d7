"""Tables of techniques of subgame solving."""

from tests.documents.figures import data, table


def techniques(name: str) -> list[str]:
    """Return the exploitability by technique and number of buckets, beside what was published."""
    found = data(name)
    published = found["published"]
    measured = found["exploitability_mbb_per_hand"]
    buckets = list(measured["blueprint"])
    rows = [
        [
            name,
            *(f"{row[one]:.1f}" for one in buckets),
            *(f"{value:g}" for value in published["mbb_per_hand"][name]),
        ]
        for name, row in measured.items()
    ]
    return table(
        [
            "technique",
            *(f"{one} buckets" for one in buckets),
            *(f"article, {one}" for one in published["buckets"]),
        ],
        rows,
    )
