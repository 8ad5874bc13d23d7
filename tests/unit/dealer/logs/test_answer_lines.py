"""The transaction file beside a log, whatever state it is in."""

import pytest

from dealer.logs.answer_lines import answers_beside

LINE = b"c 0 10 10.5\n"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (LINE * 3, 3),
        (LINE * 2 + LINE[:-1], 2),
        (LINE + b"\0" * 4096 + LINE, 1),
        (LINE[:4], None),
        (b"", None),
    ],
    ids=["whole", "cut off", "damaged", "half a line", "empty"],
)
def test_lines_are_read_as_far_as_they_are_right(tmp_path, data, lines):
    """None of it ends the program."""
    log = tmp_path / "m.log"
    log.write_bytes(b"")
    log.with_suffix(".tlog").write_bytes(data)
    found = answers_beside(log)
    assert (None if found is None else found.seconds.tolist()) == (lines and [0.5] * lines)


def test_without_the_file_there_are_no_times(tmp_path):
    """As beside the logs of other dealers."""
    (tmp_path / "m.log").write_bytes(b"")
    assert answers_beside(tmp_path / "m.log") is None
