"""Whole matches of the original dealer, played again at ours with the recorded answers."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dealer.server.table import Table
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.betting import parse_betting
from protocol.gamedef import parse_gamedef
from tests.helpers.pipelined import play_pipelined

DEALER = [sys.executable, "-m", "dealer.server.dealer_command"]
VERSION = b"VERSION:2.0.0\n"
LOWERED_BETS = ("limit_short", "limit.10p.shortstack")
"""Recordings with the defect of mend 5."""
UNREADABLE = ("board_first_round",)
"""Recordings that broke off because the original cannot read its own states (mend 12)."""


def recorded_matches(golden: Path) -> list[dict]:
    """Return the entries of both manifests that ours can play to the same end."""
    lines = [
        line
        for name in ("manifest.jsonl", "manifest_small.jsonl")
        for line in (golden / name).read_text().splitlines()
    ]
    return [
        match
        for match in map(json.loads, filter(None, lines))
        if not any(word in match["name"] for word in (*LOWERED_BETS, *UNREADABLE))
    ]


def answers(log: str, game_text: bytes, seed: int, *, fixed: bool) -> tuple[list[bytes], list[str]]:
    """Return what each seat sends in a logged match, and the actions as a tlog has them."""
    game = parse_gamedef(game_text)
    table = Table(game, seed, ["-"] * game.players, fixed_seats=fixed)
    streams = [bytearray(VERSION) for _ in range(game.players)]
    transactions = []
    for line in log.splitlines():
        if not line.startswith("STATE:"):
            continue
        for action in (a for street in parse_betting(line.split(":")[2]) for a in street):
            message = table.messages()[table.acting_seat]
            streams[table.acting_seat] += f"{message}:{action.text}\r\n".encode()
            transactions.append(f"{action.text} {table.hand_id}")
            table.apply({"f": FOLD, "c": CALL}.get(action.kind) or sized(game, action))
        table.next_hand()
    return [bytes(stream) for stream in streams], transactions


def sized(game, action):
    return raise_to(action.raise_to) if game.no_limit else RAISE


def play(arguments: list[str], streams: list[bytes], folder: Path) -> tuple[str, str, int]:
    """Run our dealer; return its stdout after the ports, its stderr and its exit code."""
    with (folder / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            [*DEALER, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        ports = [int(port) for port in process.stdout.readline().split()]
        play_pipelined(ports, streams)
        out, _ = process.communicate(timeout=60)
    return out, (folder / "stderr").read_bytes().decode("latin-1"), process.returncode


@pytest.mark.parametrize("part", range(4))
def test_logs_scores_and_transactions_equal_the_originals(shared_data, tmp_path, part):
    """Log and SCORE to the byte; the transaction file but for its clock values."""
    golden = shared_data / "golden"
    matches = recorded_matches(golden)[part::4]
    assert len(matches) > 10
    for match in matches:
        folder = tmp_path / match["name"].replace("/", "_")
        (folder / match["name"]).parent.mkdir(parents=True)
        (folder / "games").symlink_to(golden / "games")
        recorded = (golden / match["log"]).read_bytes()
        arguments = match["dealer_cmd"].split()[1:]
        game_text = (golden / match["game"]).read_bytes()
        fixed = "-f" in arguments
        streams, transactions = answers(recorded.decode(), game_text, match["seed"], fixed=fixed)
        out, err, code = play([*arguments, "-q"], streams, folder)
        assert code == match["dealer_rc"], match["name"]
        assert (folder / match["log"]).read_bytes() == recorded, match["name"]
        assert out == match["stdout"].split("\n", 1)[1], match["name"]
        assert err.splitlines()[-1] == out.rstrip("\n")
        tlog = golden / match["log"].replace(".log", ".tlog")
        if "-T" in arguments:
            ours = (folder / match["log"]).with_suffix(".tlog").read_text()
            assert without_clocks(ours) == without_clocks(tlog.read_text()) == transactions


def without_clocks(tlog: str) -> list[str]:
    assert all(re.fullmatch(r"\S+ \d+ \d+\.\d{6} \d+\.\d{6}", line) for line in tlog.splitlines())
    return [" ".join(line.split()[:2]) for line in tlog.splitlines()]


@pytest.mark.parametrize("name", ["2p.limit", "2p.nolimit", "3p.nolimit"])
def test_stderr_of_a_thousand_hands_equals_the_originals(shared_data, tmp_path, name):
    """Every TO and FROM line in order; clock values, and what a later version added, aside."""
    stem = f"{name}.h1000.r0"
    recorded = (shared_data / "dealer_logs" / f"{stem}.actions.log").read_bytes().decode("latin-1")
    log = (shared_data / "dealer_logs" / f"{stem}.log").read_text()
    header = re.match(r"# name/game/hands/seed (\S+) (\S+) (\d+) (\d+)\n", recorded)
    game, names = Path(header[2]).name, log.splitlines()[-1].split(":")[2].split("|")
    streams = {str(seat + 1): bytearray(VERSION) for seat in range(len(names))}
    for seat, line in re.findall(r"^FROM (\d+) at [\d.]+ (.*\n)", recorded, re.M):
        streams[seat] += line.encode("latin-1")
    out, err, code = play(
        [stem, game, header[3], header[4], *names], list(map(bytes, streams.values())), tmp_path
    )
    assert code == 0
    assert out == recorded.splitlines(keepends=True)[-1]
    assert masked(err) == masked(recorded.replace(header[2], game))
    ours = (tmp_path / f"{stem}.log").read_text()
    assert ours.splitlines()[4:] == [
        x for x in log.splitlines() if x.startswith(("STATE", "SCORE"))
    ]


def masked(stderr: str) -> list[str]:
    return [
        re.sub(r" at \d+\.\d{6}", " at T", line)
        for line in stderr.splitlines()
        if not line.startswith("Seconds cumulatively")
    ]
