"""What solved rivers are worth to a small network: its error by how many it has learnt from.

    make study NAME="deepstack-rivers FOLDER [--finer FOLDER] [--sizes 25000,50000]"

FOLDER is of `arena data values`; --finer one of the same seed and a smaller --target, which shows
what the accuracy of labels changes.  Half an hour of all cores with the sizes of the page.

Hands are put into 128 buckets of equal size by their rank on the board; the network sees the share
of both ranges in each, what each wins if nobody bets, and the stacks, and predicts what is won
beyond that.  Nobody sees which hands block which.  Rivers on held-out boards, from every tenth
file, are not trained on; nor is anything else of these files: rivers of one search are in one file.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np

from agents.deepstack.configuration import SOURCES
from agents.deepstack.data import SolvedData
from agents.deepstack.describing import equity_values
from engine.hands.cards import COMBOS
from engine.range_solver.terminal import fold_values
from engine.showdown.board_ranks import board_ranks

BUCKETS = 128
WIDTH, LAYERS = 512, 3
EPOCHS, BATCH = 30, 256
TESTED_FILES = 10
"""One file in so many is tested on."""
SMALL = {"sizes": "16"}


def add_options(parser):
    """Add which rivers, and how many of them."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="rivers of `arena data values`")
    parser.add_argument("--finer", type=Path, help="the same rivers with a smaller --target")
    parser.add_argument("--sizes", default="25000,50000,100000,200000", help="rivers learnt from")


def run(options):
    """Return the curve, what simple predictors miss, and what finer labels change."""
    data = SolvedData(options.folder)
    facts = curve(data, [int(size) for size in options.sizes.split(",")])
    if options.finer:
        facts["labels"] = labels(data, SolvedData(options.finer))
    return facts


def buckets_of(board):
    """Return (1326,) the bucket of each hand, by the middle of those of equal rank; -1 if dead."""
    ranks = board_ranks(board).astype(int)
    live = ranks > 0
    ordered = np.sort(ranks[live])
    low, high = (np.searchsorted(ordered, ranks, side=side) for side in ("left", "right"))
    middle = (low + high - 1) / 2
    return np.where(live, (middle * BUCKETS / live.sum()).astype(int), -1)


def sums(bucket, numbers):
    """Return (2, BUCKETS) the numbers of both players' hands added up by bucket."""
    live = bucket >= 0
    return np.stack([np.bincount(bucket[live], row[live], BUCKETS) for row in numbers])


def features(data, numbers):
    """Return what the network sees, the values by hand, and all that errors are counted by."""
    found = {"seen": [], "target": [], "weight": [], "bucket": [], "equity": [], "values": []}
    columns = [data.rows(name, numbers) for name in ("board", "pot", "stack", "ranges", "values")]
    for board, pot, stack, ranges, values in zip(*columns, strict=True):
        cards = tuple(board.tolist())
        bucket = buckets_of(cards)
        ranges, values = ranges.astype(float), values.astype(float)
        equity = equity_values(cards, ranges)
        weights = ranges * fold_values(ranges[::-1], cards)
        weights /= weights.sum(axis=1, keepdims=True)
        shares = sums(bucket, ranges / ranges.sum(axis=1, keepdims=True))
        counts = np.maximum(sums(bucket, np.ones((2, COMBOS))), 1)
        worth = sums(bucket, equity) / counts
        more = [np.log(stack / pot), min(stack / pot, 4.0)]
        found["seen"].append(np.concatenate([shares.ravel() * BUCKETS, worth.ravel(), more]))
        found["target"].append(((sums(bucket, values - equity)) / counts).ravel())
        for name, value in (
            ("weight", weights), ("bucket", bucket), ("equity", equity), ("values", values),
        ):  # fmt: skip
            found[name].append(value)
    arrays = {name: np.array(rows) for name, rows in found.items()}
    return {**arrays, "source": data.rows("source", numbers)}


def errors(tested, predicted):
    """Return mean errors by hand and by range of all sources and of each, pots."""
    away = np.abs(predicted - tested["values"])
    by_range = (tested["weight"] * away).sum(axis=(1, 2)) / 2
    live = tested["bucket"] >= 0
    by_hand = (away * live[:, None]).sum(axis=(1, 2)) / live.sum(axis=1) / 2
    rows = {"all": np.ones(len(away), bool)}
    rows |= {name: tested["source"] == place for place, name in enumerate(SOURCES)}
    return {
        name: {"by_hand": float(by_hand[row].mean()), "by_range": float(by_range[row].mean())}
        for name, row in rows.items()
        if row.any()
    }


def spread(tested, by_bucket):
    """Return (N, 2, 1326) what a prediction (N, 2 * BUCKETS) beyond equity says of each hand."""
    rows = np.arange(len(by_bucket))[:, None]
    pairs = by_bucket.reshape(-1, 2, BUCKETS)
    live = tested["bucket"] >= 0
    beyond = np.stack([pairs[:, p][rows, np.maximum(tested["bucket"], 0)] for p in (0, 1)], axis=1)
    return np.where(live[:, None], tested["equity"] + beyond, 0)


def learnt(train, tested, seed=1):
    """Train a network; return what it predicts of the tested rivers, by hand."""
    import torch

    torch.manual_seed(seed)
    seen, target = (torch.tensor(train[name], dtype=torch.float32) for name in ("seen", "target"))
    sizes = [seen.shape[1], *[WIDTH] * LAYERS]
    layers = []
    for wide, narrow in pairwise(sizes):
        layers += [torch.nn.Linear(wide, narrow), torch.nn.PReLU()]
    net = torch.nn.Sequential(*layers, torch.nn.Linear(WIDTH, target.shape[1]))
    steps = EPOCHS * -(-len(seen) // BATCH)
    optimiser = torch.optim.Adam(net.parameters(), 1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for step in range(steps):
        if step % -(-len(seen) // BATCH) == 0:
            order = torch.randperm(len(seen))
        rows = order[step * BATCH % len(seen) :][:BATCH]
        loss = torch.nn.functional.huber_loss(net(seen[rows]), target[rows], delta=0.1)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        predicted = net(torch.tensor(tested["seen"], dtype=torch.float32)).double().numpy()
    return spread(tested, predicted)


def curve(data, sizes):
    """Return the curve and what simple predictors miss, as plain values."""
    block = data.configuration.block
    numbers = np.arange(len(data))
    is_tested = (numbers // block) % TESTED_FILES == 0
    held = data.column("held_out")
    pool = np.random.default_rng(1).permutation(numbers[~is_tested & ~held])
    tested = features(data, numbers[is_tested & held])
    truth = tested["target"]
    return {
        "rivers": len(data),
        "tested": len(truth),
        "zero": errors(tested, np.zeros_like(tested["values"])),
        "equity": errors(tested, tested["equity"]),
        "buckets": errors(tested, spread(tested, truth)),
        "curve": [
            {"rivers": size, "errors": errors(tested, learnt(features(data, pool[:size]), tested))}
            for size in sizes
            if size <= len(pool)
        ],
    }


def labels(data, finer):
    """Return how much values change with the accuracy of solutions, by hand and by range."""
    numbers = np.arange(min(len(data), len(finer)))
    if not np.array_equal(data.rows("ranges", numbers), finer.rows("ranges", numbers)):
        raise ValueError("these folders are not of the same situations")
    tested = features(finer, numbers)
    found = errors(tested, data.rows("values", numbers).astype(float))
    targets = [100 * one.configuration.target for one in (data, finer)]
    return {"targets": targets, "rivers": len(numbers), "change": found}
