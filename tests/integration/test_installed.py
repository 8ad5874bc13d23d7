"""The wheel in an environment of its own, away from the repository: what users of pip have."""

import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import numba
import pytest

from agents.roster.bots import ROSTER
from tests.architecture.repository import PACKAGES, ROOT, repository_files
from tests.helpers.interpreter import INTERPRETER

pytestmark = pytest.mark.slow
SECONDS = 300
BUILD = """
import sys
from setuptools import build_meta
target = sys.argv[1]
build_meta.build_sdist(target)
build_meta.build_wheel(target)
"""
EVERY_BOT = """
from agents.roster.bots import ROSTER
from protocol.gamedefs import load_builtin
games = list(map(load_builtin, ("hunl", "hulhe", "leduc")))
for spec in ROSTER:
    bot = spec.build()
    bot.start_match(next(game for game in games if spec.plays(game, {})), 1)
    print(spec.name)
"""
CONFIG = """
port = 0
[limits]
processes = 1
aivat_seconds = 0
[[house]]
bot = "cnn"
"""


def build(source, target):
    """Build sdist and wheel of a folder with the setuptools that is here; return both."""
    target.mkdir()
    subprocess.run(
        [INTERPRETER, "-c", BUILD, str(target)],
        cwd=source,
        env={name: text for name, text in os.environ.items() if name != "PYTHONPATH"},
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )
    (sdist,), (wheel,) = target.glob("*.tar.gz"), target.glob("*.whl")
    return sdist, wheel


def contents(wheel):
    """Return the files of a wheel by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class Environment:
    """A virtual environment with the wheel, which finds the libraries where they are here."""

    def __init__(self, folder, wheel):
        self.folder = folder / "work"
        self.folder.mkdir()
        self.programs = folder / "venv" / "bin"
        home = folder / "venv"
        subprocess.run([INTERPRETER, "-m", "venv", "--without-pip", home], check=True)
        (packages,) = home.glob("lib/python*/site-packages")
        (packages / "libraries.pth").write_text(str(Path(numba.__file__).resolve().parents[1]))
        pip = [INTERPRETER, "-m", "pip", "--python", str(self.programs / "python")]
        install = [*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
        subprocess.run(install, check=True, timeout=SECONDS, cwd=self.folder)
        self.packages = packages

    def start(self, program, *words):
        """Start a program of the environment."""
        return subprocess.Popen(
            [str(self.programs / program), *map(str, words)],
            cwd=self.folder,
            env={name: text for name, text in os.environ.items() if not name.startswith("PYTHON")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, program, *words):
        """Run a program that has to end well; return what it prints."""
        with self.start(program, *words) as process:
            out, err = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, out + err
        return out


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Sdist and wheel of the repository's files, and of nothing that lies about beside them."""
    folder = tmp_path_factory.mktemp("built")
    for path in repository_files():
        copy = folder / "source" / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return build(folder / "source", folder / "made")


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """An environment with the wheel."""
    return Environment(tmp_path_factory.mktemp("installed"), built[1])


def test_the_sdist_builds_the_same_wheel(built, tmp_path):
    """File by file; it needs nothing of the repository that is not in it."""
    sdist, wheel = built
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    again = build(source, tmp_path / "again")[1]
    assert again.name == wheel.name
    assert contents(again) == contents(wheel)


def test_the_packages_are_those_of_the_environment(installed):
    """Otherwise the other tests here would show nothing."""
    code = f"for name in {PACKAGES}: print(__import__(name).__file__)"
    files = installed.run("python", "-c", code).split()
    assert [Path(file).parents[1] for file in files] == [installed.packages] * len(PACKAGES)
    assert re.fullmatch(r"arena [0-9]+\.[0-9]+\.[0-9]+\w*\n", installed.run("arena", "--version"))


def test_every_bot_has_its_models(installed):
    """All names of the roster are built and begin a match."""
    names = installed.run("python", "-c", EVERY_BOT).split()
    assert names == [spec.name for spec in ROSTER]


def test_a_match_is_played_and_verified(installed):
    """By sockets; the log is dealt again."""
    match = ("match", "blueprint", "statistical", "--hands", "10", "--no-duplicate", "--quiet")
    installed.run("arena", *match, "--out", "played")
    (log,) = (installed.folder / "played").glob("*.log")
    report = json.loads(installed.run("arena", "replay", "--verify", "--json", log))
    assert (report["ok"], report["hands"]) == (True, 10)


def test_a_person_gets_a_seat(installed):
    """The page and all that it loads are there."""
    with installed.start("arena", "play", "rule", "--no-browser", "--hands", "1") as program:
        link = next(filter(None, (re.search(r"http://\S+/", line) for line in program.stderr)))[0]
        with urllib.request.urlopen(link, timeout=30) as answer:
            page = answer.read().decode()
        parts = re.findall(r'(?:src|href)="([a-z/]+\.(?:css|js))"', page)
        for part in parts:
            with urllib.request.urlopen(link + part, timeout=30) as answer:
                assert answer.read()
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=SECONDS)
    assert len(parts) > 2


def test_a_guest_plays_at_a_server(installed):
    """Against a house bot, whose network comes along; the server stops in good order."""
    (installed.folder / "server.toml").write_text(CONFIG)
    with installed.start("arena", "server", "server.toml") as server:
        url = re.search(r"http://\S+/", server.stdout.readline())[0]
        token = ("--token-file", "arena-server/owner.token")
        guest = ("--bot", "mine", "--hands", "5", "--against", "cnn", "--", "rule")
        said = installed.run("arena", "connect", url, *token, *guest)
        with urllib.request.urlopen(url, timeout=30) as answer:
            assert b"<html" in answer.read()
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=SECONDS)
    assert "over 10 hands" in said
    assert server.returncode == 0
    assert "0 faults" in installed.run("arena", "server", "check")
