"""What the shipped players cost: told by their files, and measured."""

from agents.studies.astar.costs import TIMED, costs_table, measured_costs


def test_costs_are_told_and_measured():
    """Nineteen networks and their sum, files, memory, and six agents whose actions are timed."""
    costs = measured_costs(hands=5)
    rows = {(one.whose, one.what, one.unit): one.number for one in costs}
    assert len(rows) == len(costs) == 20 * 3 + 2 + len(TIMED) * 3
    assert all(number > 0 for number in rows.values())
    hands, hours = rows["counter-O2", "hands in training", "M"], rows["counter-O2", "training", "h"]
    speed = rows["counter-O2", "training", "hands/s"]
    assert abs(1e6 * hands / (3600 * hours) / speed - 1) < 1e-9
    each = [row.number for row in costs if (row.what, row.unit) == ("training", "h")]
    assert abs(sum(each[:-1]) / each[-1] - 1) < 1e-9
    for name in ("astar", "astar-base", "ashe"):
        assert rows[name, "action, mean", "ms"] <= rows[name, "action, longest", "ms"] < 1000
    assert rows["all models", "disk", "MB"] < 10
    lines = costs_table(costs)
    assert len(lines) == len(costs)
    assert lines[0].split()[0] == "counter-O1"
