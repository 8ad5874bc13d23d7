"""Tables of what solved situations are worth to networks, and of re-solving in Leduc.

Sources of others' losses: Moravcik et al., "DeepStack: expert-level artificial intelligence in
heads-up no-limit poker", Science 356, 2017; Zarick, Pellegrino, Brown, Banister, "Unlocking the
potential of deep counterfactual value networks", 2020 (Supremus); docs/deepstack.md has the rest.
"""

from tests.documents.cells import data, number, percent, read, table

_REFERENCES = {
    "network": "DeepStack-Leduc, network of a million",
    "cfr": "DeepStack-Leduc, CFR without re-solving",
}
_STREETS = (
    "river, begin",
    "turn, end",
    "turn, begin",
    "flop, end",
    "flop, begin",
    "before the flop, end",
)
_ABSOLUTE = "absolute; by hand, by range"
_UNTOLD = "Huber; not told"
_BY_BUCKET = "Huber; by bucket"
_RIVER, _TURN, _FLOP, _BEFORE = (_STREETS[place] for place in (0, 2, 4, 5))
_POKER_BOT = "own play, perturbed, random; "
_OTHERS: dict[str, dict[str, tuple[str, ...]]] = {
    "poker-bot": {
        _RIVER: (f"{_POKER_BOT}solved", "204 800", "0.031, 0.024", _ABSOLUTE),
        _STREETS[1]: (f"{_POKER_BOT}by a network", "300 000", "0.036, 0.034", _ABSOLUTE),
    },
    "DeepStack": {
        _TURN: ("random; solved", "10 000 000", "0.026", _UNTOLD),
        _FLOP: ("random; by a network", "1 000 000", "0.034", _UNTOLD),
        _BEFORE: ("random; by a network", "10 000 000", "0.000055", _UNTOLD),
    },
    "Supremus": {
        _RIVER: ("random; solved", "50 000 000", "0.015", _UNTOLD),
        _TURN: ("random; by a network", "20 000 000", "0.010", _UNTOLD),
        _FLOP: ("random; by a network", "5 000 000", "0.011", _UNTOLD),
        _BEFORE: ("random; by a network", "10 000 000", "0.000070", _UNTOLD),
    },
    "DeepStack, built by Supremus' authors": {
        _TURN: ("random; by a network", "10 000 000", "0.016", _UNTOLD),
        _FLOP: ("random; by a network", "1 000 000", "0.028", _UNTOLD),
        _BEFORE: ("random; by a network", "10 000 000", "0.000099", _UNTOLD),
    },
    "DeepHoldem": {
        _RIVER: ("random; solved", "1 000 000", "0.0415", _BY_BUCKET),
        _TURN: ("random; by a network", "1 000 000", "0.045", _BY_BUCKET),
        _FLOP: ("random; by a network", "1 000 000", "0.013", _BY_BUCKET),
        _BEFORE: ("random; by a network", "1 000 000", "0.0017", _BY_BUCKET),
    },
    "DyypHoldem": {
        _RIVER: ("not told", "not told", "0.058", _BY_BUCKET),
        _TURN: ("not told", "not told", "0.073", _BY_BUCKET),
        _FLOP: ("not told", "not told", "0.067", _BY_BUCKET),
    },
    "PyStack": {
        _RIVER: ("random; solved", "2 000 000", "0.106", "Huber; by hand"),
        _TURN: ("random; by a network", "500 000", "0.261", "Huber; by hand"),
        _FLOP: ("random; by a network", "500 000", "0.283", "Huber; by hand"),
        _BEFORE: ("random; by a network", "500 000", "0.005", "Huber; by hand"),
    },
}
"""As their authors say: source of ranges and labels, situations, error, which one."""
_SOURCES = ("all", "played", "searched", "perturbed", "random", "leaves", "asked")


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


def street_ends(street: str) -> list[str]:
    """Return errors of the shipped network of ends of a street, beside what costs nothing."""
    errors = read(f"engine/search/models/{street}-end.json")["errors"]
    names = [name for name in _SOURCES if name in errors]
    simple = {"nothing is won": "zero", "nobody bets": "equity"}
    texts = simple | {"the network": "network", "right by bucket": "right by bucket"}
    rows = [
        [text, f"{errors['all'][key][0]:.3f}", *(f"{errors[name][key][1]:.3f}" for name in names)]
        for text, key in texts.items()
    ]
    return table(["predictor", "all, by hand", *(f"{name}, by range" for name in names)], rows)


def preflop_ends() -> list[str]:
    """Return errors of the shipped network of ends before the flop, beside what costs nothing."""
    facts = data("deepstack-preflop")
    texts = {
        "nothing is won": "zero",
        "nobody bets": "equity",
        "the network": "network",
        "what flops leave open": "noise",
    }
    names = [name for name in _SOURCES if name in facts["errors"]]
    rows = [
        [text, *(f"{facts['errors'][name][key]:.3f}" for name in names)]
        for text, key in texts.items()
    ]
    return table(["predictor", *(f"{name}, by range" for name in names)], rows)


def raises() -> list[str]:
    """Return what is answered to raises before the flop, and what the blueprint rounds to."""
    rows = data("deepstack-raises")["raises"]
    bots = list(rows[0]["shares"])
    does = ("folds", "calls", "raises")
    answers = [f"`{bot.partition(' ')[0]}` {verb}" for bot in bots for verb in does]
    lines = [
        [
            number(row["raise_to"]),
            *(percent(share) for bot in bots for share in row["shares"][bot]),
            " or ".join(map(number, row["rounded_to"])),
        ]
        for row in rows
    ]
    return table(["raise to", *answers, "rounded to"], lines)


def losses() -> list[str]:
    """Return errors of our networks beside those that others tell of theirs, by street."""
    networks = {"ours": _own_losses(), **_OTHERS}
    rows = [
        [street, name, *told[street]]
        for street in _STREETS
        for name, told in networks.items()
        if street in told
    ]
    head = ["street", "network", "ranges; labels", "situations", "error", "which; averaged over"]
    return table(head, rows)


def _own_losses() -> dict[str, tuple[str, ...]]:
    pilot = data("deepstack-rivers")["curve"][-1]
    both = [pilot["errors"]["all"][name] for name in ("by_hand", "by_range")]
    found: dict[str, tuple[str, ...]] = {
        _RIVER: ("five sources; solved", number(pilot["rivers"]), _pair(both), _ABSOLUTE)
    }
    sources = {"turn": "five sources; solved", "flop": "five sources; by a network"}
    for street, source in sources.items():
        facts = read(f"engine/search/models/{street}-end.json")
        error = _pair(facts["errors"]["all"]["network"])
        found[f"{street}, end"] = (source, number(facts["situations"]), error, _ABSOLUTE)
    count = number(read("engine/search/models/preflop-end.json")["situations"])
    error = f"{data('deepstack-preflop')['errors']['all']['network']:.3f}"
    found[_BEFORE] = (
        "three sources; by a network, a flop each",
        count,
        error,
        "absolute; by range",
    )
    return found


def _pair(errors: list[float]) -> str:
    return ", ".join(f"{error:.3f}" for error in errors)


def turn_ends_curve() -> list[str]:
    """Return errors of networks of ends of the turn by how many they learnt from."""
    curve = data("deepstack-ends")["curve"]
    names = [name for name in _SOURCES if name in curve[0]["errors"]]
    rows = [
        [
            number(one["situations"]),
            f"{one['errors']['all'][0]:.4f}",
            *(f"{one['errors'][name][1]:.4f}" for name in names),
        ]
        for one in curve
    ]
    return table(["situations", "all, by hand", *(f"{name}, by range" for name in names)], rows)


def flops() -> list[str]:
    """Return what decisions on flops lose, by who made them."""
    facts = data("deepstack-flops")
    ways = list(facts["means"])
    rows = [
        [
            f"{row['flop']}, {row['betting']}, {row['blinds']}",
            *(f"{row['lost'][w]:.2f}" for w in ways),
        ]
        for row in facts["spots"]
    ]
    means = ["mean", *(f"{facts['means'][way]:.2f}" for way in ways)]
    return table(["flop, betting, big blinds", *ways], [*rows, means])


def leduc() -> list[str]:
    """Return how exploitable re-solving is by what is at its leaves, beside the reference."""
    facts = data("deepstack-leduc")
    counts = [one["iterations"] for one in facts["whole"]]
    names = {"whole": "nothing: solved to the hand's end", "exact": "exact values"}
    rows = [[text, "", *_chips(facts[key], counts)] for key, text in names.items()]
    rows += [
        [
            f"network of {number(one['situations'])}, seed {one['seed']}, round {one['round']}",
            f"{one['errors']['drawn']:.3f}, {one['errors']['asked']:.3f}",
            *_chips(one["played"], counts),
        ]
        for one in facts["networks"]
    ]
    first = facts["networks"][0]["errors"]
    unbet = f"{first['bare_drawn']:.3f}, {first['bare_asked']:.3f}"
    rows.append(["nobody bets, of what that of seed 1 asks", unbet, *[""] * len(counts)])
    for text, chips in facts["reference"].items():
        given = [{"iterations": 400, "chips": chips}]
        rows.append([_REFERENCES[text], "", *_chips(given, counts)])
    return table(["at the leaves", "error", *(f"{count} iterations" for count in counts)], rows)


def _chips(measured: list[dict[str, float]], counts: list[int]) -> list[str]:
    chips = {one["iterations"]: f"{one['chips']:.2f}" for one in measured}
    return [chips.get(count, "") for count in counts]


def _errors(errors: dict[str, dict[str, float]], names: list[str]) -> list[str]:
    by_range = [f"{errors[name]['by_range']:.3f}" for name in names]
    return [f"{errors['all']['by_hand']:.3f}", *by_range]
