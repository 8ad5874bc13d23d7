"""The picture of `arena experiment sizes`."""

from engine.commands.experiment.sizes_picture import sizes_figure

FACTS = {
    "stack": 20,
    "best": {"menu": "63;50,a;a;/100;79,a;"},
    "losses": {
        "first raise": {"best": 63, "moved": [[50, 2.0], [63, 0.0], [79, 1.5]]},
        "flop bet": {"best": 100, "moved": [[79, 3.0], [100, 0.0], [126, 0.5]]},
    },
}


def test_each_size_has_a_panel_with_what_it_loses():
    """By its logarithm, at the sizes that were measured."""
    drawn = sizes_figure(FACTS).axes
    assert [axes.get_title(loc="left") for axes in drawn] == list(FACTS["losses"])
    for axes, found in zip(drawn, FACTS["losses"].values(), strict=True):
        [line] = axes.get_lines()
        assert line.get_xydata().tolist() == found["moved"]
        assert axes.get_xscale() == "log"
        assert axes.get_ylim()[0] < 0
        assert axes.get_ylim()[1] > 3
