"""What deepstack answers to odd raises before the flop, beside the blueprint's rounding of them.

    make study NAME="deepstack-raises [--iterations N]"

The first player raises to some chips, with blinds of 50 and 100 and stacks of 200 big blinds.  How
often the second folds, calls and raises is a mean over all 1326 hands.  The blueprint draws which
raise of its tree an odd one stands for; its shares are of both.  Ten seconds of a core.
"""

from typing import cast

from agents.blueprint_model.policy import BlueprintPolicy
from agents.roster.strategies import read_strategy, seat
from engine.rules.state import HandState
from protocol.actions import raise_to

RAISES = (225, 300, 317, 450, 600, 700)
"""Two of them are in the tree of the blueprint."""
BLUEPRINT = "blueprint"
SMALL = {"iterations": 2}


def add_options(parser):
    """Add how long deepstack searches."""
    parser.add_argument("--iterations", type=int, default=200, help="(%(default)s)")


def run(options):
    """Return shares by raise and bot, and the raises that stand for each in the blueprint."""
    names = (f"deepstack --iterations {options.iterations}", BLUEPRINT)
    game, players = seat([read_strategy(name) for name in names], None)
    policies = {player.text: player.policy for player in players}
    blueprint = cast("BlueprintPolicy", policies[BLUEPRINT])
    rows = []
    for chips in RAISES:
        state = HandState.start(game).apply(raise_to(chips))
        nodes = blueprint.likely(state, ())
        rows.append(
            {
                "raise_to": chips,
                "rounded_to": sorted(int(blueprint.model.tree.spent[node].max()) for node in nodes),
                "shares": {name: _shares(policy, state) for name, policy in policies.items()},
            }
        )
    return {"command": "make study NAME=deepstack-raises", "raises": rows}


def _shares(policy, state):
    """Return how often all hands fold, call and raise."""
    actions, probabilities = policy.strategy(state, ())
    shares = dict.fromkeys("fcr", 0.0)
    for action, share in zip(actions, probabilities.mean(axis=0, dtype=float), strict=True):
        shares[action.kind] += share
    return [round(share, 4) for share in shares.values()]
