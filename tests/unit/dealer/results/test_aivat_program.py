"""What becomes of the way in which the program that estimates has ended."""

import sys

import pytest

from dealer.errors import MatchError
from dealer.results import aivat as aivat_program
from dealer.results.aivat import AivatFollower, estimate_beside


@pytest.fixture
def program(monkeypatch):
    """Put a script in the program's place."""

    def put(script):
        monkeypatch.setattr(
            aivat_program, "AIVAT_PROGRAM", (sys.executable, "-S", "-E", "-c", script)
        )

    return put


def test_its_last_words_say_why_it_failed(program, tmp_path):
    """Of several lines the last one; without a word, where to look.  Ctrl-C is no failure."""
    program("import sys; sys.exit(130)")
    with pytest.raises(KeyboardInterrupt):
        estimate_beside([tmp_path], tmp_path / "x.game", [], 1, shown=False)
    for said, why in ((r"one\ntwo", "two"), ("", "")):
        program(f"import sys; sys.stderr.write('{said}'); sys.exit(1)")
        with pytest.raises(MatchError, match=f"^no AIVAT: {why}"):
            estimate_beside([tmp_path], tmp_path / "x.game", [], 1, shown=False)


def test_it_is_told_what_to_estimate(program, tmp_path):
    """Places, game, what is known, and the processes."""
    told = tmp_path / "told"
    program(f"import sys; open({str(told)!r}, 'w').write(' '.join(sys.argv[1:]))")
    estimate_beside([tmp_path], tmp_path / "x.game", ["--unknown"], 3, shown=False)
    assert told.read_text() == f"beside {tmp_path} --game {tmp_path}/x.game --unknown --jobs 3"


def test_a_follower_ends_when_its_input_does(program, tmp_path):
    """It has no trouble until it fails."""
    program("import sys; sys.stdin.read()")
    follower = AivatFollower([tmp_path], tmp_path / "x.game", [])
    assert follower.trouble() == ""
    follower.stop()
    assert follower._program.returncode == 0
