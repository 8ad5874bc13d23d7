"""Settings of the server: the sample, the defaults, and what is refused."""

import re

import pytest

from dealer.hub.errors import ServerError
from dealer.hub.server_config import (
    SAMPLE_CONFIG,
    USUAL_HOUSE,
    ServerConfig,
    SlumbotTable,
    read_config,
)


def written(tmp_path, text):
    """A config file."""
    path = tmp_path / "server.toml"
    path.write_text(text)
    return path


def test_no_file_is_needed():
    """Without a file there are the usual bots of the house, and the defaults."""
    config = read_config(None)
    assert [offered.bot.label for offered in config.house] == list(USUAL_HOUSE)
    assert config.limits == ServerConfig().limits


def test_the_sample_shows_the_defaults(tmp_path):
    """The sample is read, and its numbers are those without it."""
    assert read_config(written(tmp_path, SAMPLE_CONFIG)).tls is None
    (tmp_path / "bots").mkdir()
    (tmp_path / "bm_server.config").write_text("user neil test\n")
    (tmp_path / "bots" / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "bots" / "run.sh").chmod(0o755)
    all_of_it = re.sub(r"(?m)^# (?=\[|\w+ = )", "", SAMPLE_CONFIG)
    config = read_config(written(tmp_path, all_of_it))
    usual = ServerConfig()
    assert (config.port, config.limits, config.quotas) == (usual.port, usual.limits, usual.quotas)
    assert config.tls.cert == str(tmp_path / "server.pem")
    assert config.tls.clients == str(tmp_path / "course.pem")
    assert (config.acpc.users, config.acpc.listen) == ({"neil": "test"}, "127.0.0.1")
    assert config.slumbot == SlumbotTable("rule")
    assert config.house[1].bot.directory == str(tmp_path / "bots")


def test_clients_of_slumbot_play_the_blueprint_unless_another_bot_is_named(tmp_path):
    """Where there is none, the first that plays the game; without table and option nobody."""
    assert read_config(None).slumbot is None
    assert read_config(None, slumbot=True).slumbot == SlumbotTable("blueprint")
    house = '[[house]]\nbot = "solid"\n[[house]]\nbot = "rule"\n'
    assert read_config(written(tmp_path, house), slumbot=True).slumbot.bot == "solid"
    named = written(tmp_path, f'[slumbot]\nbot = "rule"\nhands = 10\n{house}')
    assert read_config(named, slumbot=True).slumbot == SlumbotTable("rule", hands=10)


def test_a_program_is_started_where_it_was_looked_for(tmp_path):
    """Without a folder of its own a program's path is relative to the config."""
    (tmp_path / "bot.sh").write_text("#!/bin/sh\n")
    (tmp_path / "bot.sh").chmod(0o755)
    (offered,) = read_config(written(tmp_path, '[[house]]\nbot = "./bot.sh"')).house
    assert offered.bot.directory == str(tmp_path)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("port = 'x'", "port: want a whole number"),
        ("port = -1", "port: want 0 to"),
        ("[limits]\nprocesses = 1_000_000_000_000", "processes: want 0 to 1,024"),
        ("[limits]\naddress_rate = 0", "address_rate: want 1 to"),
        ("[limits]\nconnections = 0", "connections: want 1 to"),
        ("[limits]\naddress_connections = 0", "address_connections: want 1 to"),
        ("[limits]\nresponse_ms = 0", "response_ms: want 1 to"),
        ("[limits]\nmatch_seconds = 1_000_000_000", "match_seconds: want 1 to 8,640,000"),
        ("port = 65536", "port: want 0 to 65,535"),
        ("listen = ''", "0.0.0.0 is every"),
        ("house = []\n[slumbot]", "no house bot plays hunl"),
        ("[slumbot]\nbot = 'nobody'", "want a house bot for hunl: nobody is none"),
        ("[slumbot]\nhands = 3", "want an even number"),
        ("[slumbot]\nidle_seconds = 0", "idle_seconds of .slumbot.: want 1 or more"),
        ("[slumbot]\nsession = 1", "session is no key of slumbot"),
        ("[acpc]\nconfig = 'a'\nlisten = ''", "0.0.0.0 is every"),
        ('name = "a\\u0000"', "name: want a text"),
        ('hosts = ["a\\n"]', "hosts is a list"),
        ("[[house]]\nbot = 'rule'\nat_once = -1", "at_once .* want 1 to"),
        ("[[house]]\nbot = 'rule'\nmemory_mb = 0", "memory_mb .* want 1 to"),
        ('[[house]]\nbot = "rule"\ndirectory = "a\\u0000"', "directory"),
        ("[[house]]\nbot = 'Guest=rule'", "the word for any waiting bot"),
        ("prot = 1", "prot is no key"),
        ("[limits]\nmatches = 1.5", "matches: want a whole number"),
        ("limits = 3", r"\[limits\] is a table"),
        ("[tls]\ncert = 'a'", r"\[tls\] lacks key"),
        ("games = ['chess']", "chess"),
        ("games = ['3pk']", "for 3 players|3pk"),
        ("hosts = 'a'", "hosts is a list"),
        ("house = 3", r"each house bot is a table"),
        ("[[house]]\nbot = ''", "has no bot"),
        ("[[house]]\nbot = 'ruel'", "did you mean rule"),
        ("[[house]]\nbot = 'rule'\nat_once = 'x'", "at_once"),
        ("[[house]]\nbot = 'rule'\n[[house]]\nbot = 'RULE=rule'", "two house bots"),
        ("[[house]]\nbot = 'rule'\ndirectory = 'no'", "no folder"),
        ("= 3", "server.toml"),
    ],
)
def test_what_is_no_setting_is_refused(tmp_path, text, fact):
    """A line says what is wrong and where."""
    with pytest.raises(ServerError, match=fact):
        read_config(written(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    """The line names it."""
    with pytest.raises(ServerError, match=r"server\.toml: No such file"):
        read_config(tmp_path / "server.toml")
