"""Tables of what solved rivers are worth to a small network, and what their accuracy is."""

from tests.documents.cells import data, number, table

_SOURCES = ("all", "played", "searched", "perturbed", "random", "leaves")


def pilot() -> list[str]:
    """Return errors by how many rivers were learnt from, beside those of simple predictors."""
    facts = data("deepstack-rivers")
    names = [name for name in _SOURCES if name in facts["zero"]]
    simple = {"nothing is won": "zero", "nobody bets": "equity", "right by bucket": "buckets"}
    rows = [[text, *_errors(facts[key], names)] for text, key in simple.items()]
    rows += [
        [f"{number(one['rivers'])} rivers", *_errors(one["errors"], names)]
        for one in facts["curve"]
    ]
    return table(["predictor", "all, by hand", *(f"{name}, by range" for name in names)], rows)


def _errors(errors: dict[str, dict[str, float]], names: list[str]) -> list[str]:
    by_range = [f"{errors[name]['by_range']:.3f}" for name in names]
    return [f"{errors['all']['by_hand']:.3f}", *by_range]
