"""docker-compose.yml, checked without an engine: its form, its files, and every command in it."""

import argparse
import re
import shutil
import subprocess
import sys
from typing import Any

import pytest
import yaml

from agents.bot_command import add_connection_arguments
from agents.roster.bots import find_agent
from dealer.plan.command_line import plan_from
from dealer.plan.match_plan import DealerPlan
from protocol.gamedefs import load_builtin
from tests.architecture.repository import PACKAGES, ROOT, project_settings

COMPOSE = ROOT / "docker-compose.yml"
_VARIABLE = re.compile(r"\$\{[A-Z_]+:-([^}]*)\}")


def services() -> dict[str, dict[str, Any]]:
    """Return the services by name."""
    loaded = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = loaded["services"]
    return found


def command_of(service: dict[str, Any]) -> list[str]:
    """Return the arguments of a service's program, variables at their defaults."""
    return [_VARIABLE.sub(r"\1", word) for word in service["command"]]


def dealer_plan() -> DealerPlan:
    """Return the dealer's arguments, as our own parser reads them."""
    program, *arguments = command_of(services()["dealer"])
    assert program == "dealer"
    plan = plan_from(arguments, {}, lambda game: load_builtin(game).players)
    assert plan is not None
    return plan


def dockerfile_lines(service: dict[str, Any]) -> list[str]:
    """Return the instructions of the file that a service's image is built from."""
    text = (ROOT / service["build"]["dockerfile"]).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_form_is_the_compose_specification():
    """The file is valid under the JSON schema of the Compose Specification."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    result = subprocess.run(
        [*command, str(COMPOSE)], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_compose_itself_accepts_the_file():
    """Compose resolves the file; that needs the program, but no running engine."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) is None:
            continue
        known = subprocess.run([*command, "version"], capture_output=True, check=False)
        if known.returncode != 0:
            continue
        result = subprocess.run(
            [*command, "-f", str(COMPOSE), "config", "--quiet"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        return
    pytest.skip("neither `docker compose` nor docker-compose is installed")


def test_images_are_built_from_this_repository():
    """Every service is built here, from a Dockerfile that exists, and runs without privileges."""
    for service in services().values():
        assert "image" not in service
        assert (ROOT / service["build"]["context"]).resolve() == ROOT
        lines = dockerfile_lines(service)
        assert any(line.startswith("USER ") and line != "USER root" for line in lines)
        assert any(line.startswith("ENTRYPOINT ") for line in lines)


def test_images_install_what_playing_needs():
    """The list of requirements in each Dockerfile is that of pyproject.toml, without torch."""
    wanted = {text.partition(">")[0] for text in project_settings()["project"]["dependencies"]}
    assert "torch" not in wanted
    for service in services().values():
        (listed,) = (
            line.partition("=")[2].strip('"')
            for line in dockerfile_lines(service)
            if line.startswith("ARG REQUIREMENTS=")
        )
        assert set(listed.split()) == wanted


def test_build_context_holds_what_the_images_need():
    """What .dockerignore lets through exists and includes all four packages."""
    kept = {
        line[1:].rstrip("/")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    assert kept >= {*PACKAGES, "pyproject.toml", "constraints.txt", "README.md", "LICENSE"}
    assert all((ROOT / name).exists() for name in kept)


def test_dealer_command_is_a_match():
    """The dealer plays a match for which each seat has a port that its network can reach."""
    plan = dealer_plan()
    assert plan.listen == "0.0.0.0"
    assert plan.match.hands > 0
    assert len(plan.ports) == len(plan.match.names)


def test_each_agent_finds_its_seat():
    """Every seat of the dealer is taken by one agent, by the dealer's name on their network."""
    found = services()
    plan = dealer_plan()
    game = load_builtin(plan.match.game)
    taken = {}
    for name, service in found.items():
        if name == "dealer":
            continue
        agent, *arguments = command_of(service)
        parser = argparse.ArgumentParser(exit_on_error=False)
        add_connection_arguments(parser)
        settings = parser.parse_args(arguments)
        assert settings.host == "dealer"
        assert settings.game == game
        assert find_agent(agent).games.contains(game)
        assert set(service["networks"]) & set(found["dealer"]["networks"])
        taken[settings.port] = agent
    assert taken == dict(zip(plan.ports, plan.match.names, strict=True))


def test_logs_outlive_the_container():
    """The dealer's working folder, where the log is written, is a named volume."""
    (mount,) = services()["dealer"]["volumes"]
    volume, _, target = mount.partition(":")
    assert f"WORKDIR {target}" in dockerfile_lines(services()["dealer"])
    assert volume in yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["volumes"]
