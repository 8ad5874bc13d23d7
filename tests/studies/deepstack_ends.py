"""What solved ends of turns are worth to the network that `arena train deepstack` trains.

    make study NAME="deepstack-ends FOLDER... [--halvings 2] [--epochs N]"

FOLDER is of `arena data values --street turn-end`.  The network learns from all of it, from half,
and so on, with equal passes and seed, and is tested on the same held-out boards.  A core learns
from 10,000 situations in about two minutes, after a minute and a half of reading them.
"""

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from agents.deepstack.bucketed import bucketed_data
from agents.deepstack.train_command import errors_of

SMALL = {"halvings": 1, "epochs": 2}


def add_options(parser):
    """Add which situations, and how often they are halved."""
    parser.add_argument("folders", metavar="FOLDER", type=Path, nargs="+", help="ends of turns")
    parser.add_argument("--halvings", type=int, default=2, help="of what is learnt from")
    parser.add_argument("--epochs", type=int, help="times that situations are looked at")


def run(options):
    """Return the plan, what simple predictors miss, and the network's errors by situations."""
    from agents.deepstack.train.board_training import BoardPlan, prepare

    prepare(1)
    learnt, tested, _ = bucketed_data(options.folders, 1, lambda done, files: None)
    plan = BoardPlan(**({} if options.epochs is None else {"epochs": options.epochs}))
    order = np.random.default_rng(1).permutation(len(learnt.stacks))
    sizes = [len(order) >> halving for halving in range(options.halvings, -1, -1)]
    found = [errors_of(trained(learnt.rows(np.sort(order[:size])), plan), tested) for size in sizes]
    return {
        "plan": asdict(plan),
        "tested": len(tested.bucket),
        "simple": {
            name: {source: by_name[name] for source, by_name in found[0].items()}
            for name in ("zero", "equity", "right by bucket")
        },
        "curve": [
            {"situations": size, "errors": {name: one["network"] for name, one in errors.items()}}
            for size, errors in zip(sizes, found, strict=True)
        ],
    }


def trained(data, plan):
    """Return a network that learnt from some situations."""
    from agents.deepstack.train.board_training import BoardTraining, folder_of

    with TemporaryDirectory() as folder:
        training = BoardTraining(folder_of(Path(folder) / "run"), data, plan, "")
        while not training.over:
            training.learn(lambda: False)
        return training.network({"cards": 4})
