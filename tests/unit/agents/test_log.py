"""The JSON log."""

import json

from agents.log import open_log


def test_lines_are_json_with_time_level_and_bound_fields(tmp_path):
    """One object a line, appended and readable at once."""
    path = tmp_path / "bot.jsonl"
    for run in range(2):
        with open_log(path, bot="Caller") as log:
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
