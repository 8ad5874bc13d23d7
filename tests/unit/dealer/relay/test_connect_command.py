"""The command line of `arena connect`: what is wrong with it is told before anything is asked."""

import re

import pytest

from dealer.relay.connect_command import main

WORDS = ["http://127.0.0.1:9", "--bot", "ann", "--folder", "out"]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    """Files lie where the test runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "token").write_text("a-token-of-mine\n")
    (tmp_path / "bad").write_text("two words of it\n")
    (tmp_path / "bot.py").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "commands.json").write_text('{"build": [], "run": ["true"]}')


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--token-file", "nothing", "--", "true"], "nothing: No such file"),
        (["--token-file", "bad", "--", "true"], "want the token alone in it"),
        (["--token-file", "token", "--", "./bot.py"], "may not be executed|not a command"),
        (["--token-file", "token", "--", "no-such-program"], "no-such-program"),
        (["--token-file", "token", "--", "listen"], "can be started here"),
        (
            ["--token-file", "token", "--", "pokerbots:folder"],
            "does not play .*hunl; it .*pokerbots",
        ),
        (["--token-file", "token", "--ca", "token", "--", "true"], "are for https"),
        (["--token-file", "token", "--matches", "0", "--", "true"], "want a whole number"),
        (["--token-file", "token", "--bot", "a b", "--", "true"], "--bot"),
        (["--token-file", "token"], "COMMAND"),
        (["--", "true"], "--token-file"),
    ],
)
def test_wrong_arguments_are_told(capsys, words, reason):
    """In one line, with exit code 2; a token that cannot be used is not shown."""
    with pytest.raises(SystemExit) as end:
        main([*WORDS, *words])
    assert end.value.code == 2
    error = capsys.readouterr().err
    assert "two words" not in error
    assert re.search(reason, error)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--ca", "nothing"], "nothing: No such file"),
        (["--ca", "token"], "no certificates in PEM form"),
        (["--cert", "token"], "certificate token and key token"),
        (["--key", "token"], "--key goes with --cert"),
    ],
)
def test_files_of_tls_are_checked(capsys, words, reason):
    """Before the server is called."""
    with pytest.raises(SystemExit) as end:
        main(["https://127.0.0.1:9", *WORDS[1:], "--token-file", "token", *words, "--", "true"])
    assert end.value.code == 2
    assert reason in capsys.readouterr().err


def test_a_url_with_a_token_is_refused(capsys):
    """It would stand in the list of processes."""
    with pytest.raises(SystemExit):
        main(["http://ann:secret@127.0.0.1:9", *WORDS[1:], "--token-file", "token", "--", "true"])
    assert "the token has its file" in capsys.readouterr().err


def test_a_server_that_is_not_there_is_given_up(capsys):
    """After so long; http to another machine is warned of."""
    words = ["--token-file", "token", "--patience", "0.01", "--", "true"]
    assert main([*WORDS, *words]) == 3
    captured = capsys.readouterr()
    assert "the server is not to be reached" in captured.err
    assert "can read the token" not in captured.err
    assert main(["http://nothing.invalid", *WORDS[1:], *words]) == 3
    assert "can read the token" in capsys.readouterr().err
