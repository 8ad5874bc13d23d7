"""Our dealer against recordings of the original: matches, single cases, command lines."""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

DEALER = [sys.executable, "-m", "dealer.server.dealer_command"]
MENDS = json.loads((Path(__file__).parent / "mends.json").read_text())
TIME_LIMITS = "to_"
"""Cases with limits of 300 ms, which a busy machine can make somebody miss."""
MORE_TRIES = 2
EDGE_GROUPS = (
    "hs_",
    "act_nl_[0-2]",
    "act_nl_[34]",
    "act_lim",
    "rs_",
    "pk_",
    "dc_",
    TIME_LIMITS,
    "ru_",
    "op_",
)


def run_conformance(script: Path, *arguments: str) -> tuple[set[str], str]:
    """Return the ids a conformance script reports as different, and all it printed."""
    done = subprocess.run(
        [sys.executable, script, "--dealer", " ".join(DEALER), *arguments],
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert not done.stderr, done.stderr
    return set(re.findall(r"^FAIL (\S+)", done.stdout, re.M)), done.stdout


def run_edge_cases(tools: Path, cases: str) -> tuple[set[str], str]:
    """Play the cases whose ids match; return those that differ, and all that was printed."""
    return run_conformance(tools / "replay_edge.py", "--only", cases, "--strict-stderr")


@pytest.mark.parametrize("group", EDGE_GROUPS)
def test_edge_cases_get_the_original_answer(group, conformance_tools, shared_data):
    """Every message, file, exit code and stderr line equals the original's, listed mends apart.

    Cases of time limits that came out otherwise are played again, by themselves.
    """
    expected = {case for case in MENDS["edge"] if re.match(group, case)}
    failed, output = run_edge_cases(conformance_tools, f"^{group}")
    for _ in range(MORE_TRIES if group == TIME_LIMITS else 0):
        if late := failed - expected:
            again, output = run_edge_cases(conformance_tools, f"^({'|'.join(late)})$")
            failed = failed & expected | again
    assert failed == expected, output


def test_mended_edge_cases_exist(shared_data):
    """The list of exceptions names recorded cases and mends that exist."""
    recorded = {
        "edge": shared_data / "golden" / "edge_cases.jsonl",
        "cli": shared_data / "golden" / "cli_cases.jsonl",
        "gamedef": shared_data / "golden" / "gamedef_cases.jsonl",
    }
    for kind, path in recorded.items():
        ids = {json.loads(line)["id"] for line in path.read_text().splitlines() if line}
        assert set(MENDS[kind]) <= ids
        assert set(MENDS[kind].values()) <= set(range(1, 14))


def test_recorded_matches_are_byte_identical(conformance_tools, shared_data):
    """Pipelined recorded clients get the original's bytes, log and SCORE."""
    failed, output = run_conformance(conformance_tools / "replay_raw.py")
    # Short stacks in limit games: the original lets a short raise lower the bet (mend 5).
    # Board cards in the first round: the original cannot read its own states back (mend 12).
    assert {Path(name).name for name in failed} == set(MENDS["raw"]), output


def cli_cases(shared_data: Path) -> list[dict]:
    lines = (shared_data / "golden" / "cli_cases.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if line]


def test_command_lines_get_the_original_answer(shared_data, tmp_path):
    """Exit code, stdout, stderr and files of each recorded command line, listed mends apart."""
    different = {}
    for case in cli_cases(shared_data):
        folder = tmp_path / case["id"]
        folder.mkdir()
        (folder / "games").symlink_to(shared_data / "golden" / "games")
        problems = run_cli_case(case, folder)
        if problems:
            different[case["id"]] = problems
    assert set(different) == set(MENDS["cli"]), different


def run_cli_case(case: dict, folder: Path) -> list[str]:
    free = {"<FREE1>": free_port(), "<FREE2>": free_port()}
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        free["<BUSY>"] = busy.getsockname()[1]

        def fill(text: str) -> str:
            for mark, port in free.items():
                text = text.replace(mark, str(port))
            return text

        argv = [fill(word) for word in case["argv"][1:]]
        keeps_listening = isinstance(case["exit_code"], str)
        process = subprocess.Popen(
            [*DEALER, *argv], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        if keeps_listening:
            first = process.stdout.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.5)
            process.kill()
        out, err = process.communicate(timeout=20)
    if keeps_listening:
        out = first + out
    problems = []
    if not keeps_listening and process.returncode != case["exit_code"]:
        problems.append(f"exit code {process.returncode}, expected {case['exit_code']}")
    if case["stdout"].startswith("usage:"):
        out, expected = out[:6], "usage:"  # the wording of the help is our own
    else:
        expected = fill(case["stdout"])
        free_choice = [port for port in expected.split() if port not in map(str, free.values())]
        if free_choice and out.split():  # mend 10: free ports come from the operating system
            assert len(out.split()) == len(expected.split())
            out = expected if all(p.isdigit() for p in out.split()) else out
    if out != expected:
        problems.append(f"stdout {out!r}, expected {expected!r}")
    if err != fill(case["stderr"]):
        problems.append(f"stderr {err!r}, expected {fill(case['stderr'])!r}")
    for name, text in case["files"].items():
        path = folder / name
        got = path.read_text() if path.exists() else None
        if not keeps_listening and got != text:
            problems.append(f"{name} {got!r}, expected {text!r}")
    extra = {p.name for p in folder.iterdir()} - set(case["files"]) - {"games"}
    if extra:
        problems.append(f"files {extra}")
    return problems


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
