"""The JSON log."""

import json
import resource

import pytest

from agents.log import open_agent_log


def test_lines_are_json_with_time_level_and_bound_fields(tmp_path):
    """One object a line, appended and readable at once."""
    path = tmp_path / "bot.jsonl"
    for run in range(2):
        with open_agent_log(path, pytest.fail, bot="Caller") as log:
            log.info("replied", hand=3, action="c")
            log.warning("connection_lost", reason="reset")
            assert path.read_text().count("connection_lost") == run + 1
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == 4
    first = lines[0]
    assert first.pop("timestamp").endswith("Z")
    assert first == {
        "bot": "Caller",
        "event": "replied",
        "level": "info",
        "hand": 3,
        "action": "c",
    }
    assert lines[1]["level"] == "warning"


def test_a_full_disk_ends_the_log_and_not_the_match(tmp_path):
    """One line to the user; what was written before stays."""
    notices: list[str] = []
    with open_agent_log(tmp_path / "bot.jsonl", notices.append) as log:
        log.info("started")
        log_size = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, log_size[1]))
        try:
            for _ in range(3):
                log.info("replied")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, log_size)
    assert len(notices) == 1
    assert notices[0].startswith(f"cannot write {tmp_path / 'bot.jsonl'}: ")
    assert "no more" in notices[0]
    assert "started" in (tmp_path / "bot.jsonl").read_text()
