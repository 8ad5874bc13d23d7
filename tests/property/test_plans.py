"""Plans survive their way over command lines, environments and JSON."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dealer.plan.command_line import LANE_VARIABLE, command_words, environment_of, plan_from
from dealer.plan.match_plan import (
    CLOCKS,
    DealerPlan,
    LaneMode,
    MatchLimits,
    MatchPlan,
    Records,
    SeatClock,
    SeatPlan,
)
from dealer.plan.plan_documents import plan_document, plan_in

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=8)
PATHS = NAMES.filter(lambda name: not name.startswith("/dev"))
MILLISECONDS = st.integers(-(10**12), 10**12)
SEATS = st.builds(
    SeatPlan,
    NAMES,
    st.lists(st.builds(SeatClock, st.sampled_from(CLOCKS), MILLISECONDS), max_size=3).map(tuple),
    st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=","), max_size=9),
)
LIMITS = st.builds(
    MatchLimits,
    *[MILLISECONDS] * 4,
    st.one_of(st.integers(0, 10**8), st.floats(0, 10**8)),
    st.sampled_from(("fix", "call", "fold", "forfeit")),
)
RECORDS = st.builds(
    Records,
    st.one_of(st.none(), PATHS.map("l{}".format)),
    st.one_of(st.none(), PATHS.map("t{}".format)),
    st.booleans(),
    st.one_of(st.none(), PATHS.map("e{}".format)),
    st.one_of(st.none(), st.just("summary")),
    st.booleans(),
    st.sampled_from([None, 0]),
)
MATCHES = st.builds(
    MatchPlan,
    NAMES.map("m{}".format) | NAMES.map("-{}".format),
    NAMES,
    st.integers(1, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.lists(SEATS, min_size=2, max_size=4).map(tuple),
    RECORDS,
    LIMITS,
    st.booleans(),
    st.one_of(st.none(), PATHS.filter(bool)),
    st.integers(0, 2**32 - 1),
    st.sampled_from([LaneMode.AUTO, LaneMode.OFF, LaneMode.MIXED]),
)


@st.composite
def dealers(draw: st.DrawFn) -> DealerPlan:
    """Draw a dealer's plan; where its files have their usual names, too."""
    match = draw(MATCHES)
    serve = draw(st.one_of(st.none(), st.integers(1, 9999)))
    if draw(st.booleans()):
        records = match.records
        log, transactions = f"{match.name}.log", f"{match.name}.tlog"
        match = replace(match, records=replace(records, log=log, transactions=transactions))
    live = draw(st.one_of(st.none(), st.integers(0, 65535)))
    if match.records.log is None or match.records.transactions is None:
        live = None
    ports = draw(st.lists(st.integers(0, 65535), max_size=len(match.seats) * (serve or 1)))
    listen = draw(st.text("0123456789.:", min_size=1))
    return DealerPlan(match, listen, tuple(ports), serve, live, draw(st.booleans()))


@given(dealers())
def test_a_command_line_says_all_of_a_plan(plan):
    """With what is in the environment; whoever parses it has the same plan again."""
    words, players = command_words(plan), len(plan.match.seats)
    assert plan_from(words, environment_of(plan), lambda game: players) == plan


@given(dealers())
def test_json_says_all_of_a_plan(plan):
    """Of a dealer's and of a match's."""
    text = json.dumps(plan_document(plan))
    assert plan_in(DealerPlan, json.loads(text)) == plan
    assert plan_in(MatchPlan, json.loads(text)["match"]) == plan.match


@given(dealers())
def test_what_the_environment_says_of_the_lane_is_for_plans_without_a_mode(plan):
    """Auto is what stands nowhere."""
    environment = environment_of(plan) | {LANE_VARIABLE: "off"}
    read = plan_from(command_words(plan), environment, lambda game: len(plan.match.seats))
    mode = LaneMode.OFF if plan.match.lane is LaneMode.AUTO else plan.match.lane
    assert read == replace(plan, match=replace(plan.match, lane=mode))
