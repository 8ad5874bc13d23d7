"""Dockerfile and docker-compose.yml, checked without an engine: form, files, rights, commands."""

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
from dealer.hub.api_table import ENDPOINTS
from dealer.hub.server_config import USUAL_HOUSE, ServerConfig, read_config
from dealer.hub.tokens import ANY_GUEST
from dealer.plan.command_line import plan_from
from dealer.plan.match_plan import DealerPlan
from dealer.relay.connect_command import COMMAND as CONNECT
from protocol.gamedefs import load_builtin
from tests.architecture.repository import PACKAGES, ROOT, project_settings

COMPOSE = ROOT / "docker-compose.yml"
DOCKERFILE = ROOT / "Dockerfile"
AGENTS = ("rule", "biased-random")
_VARIABLE = re.compile(r"\$\{[A-Z_]+:-([^}]*)\}")


def document() -> dict[str, Any]:
    """Return the whole file."""
    loaded: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return loaded


def services() -> dict[str, dict[str, Any]]:
    """Return the services by name."""
    by_name: dict[str, dict[str, Any]] = document()["services"]
    return by_name


def mounts(service: dict[str, Any]) -> dict[str, str]:
    """Return what is mounted in a service: folder or file there -> volume or path."""
    parts = [mount.split(":") for mount in service.get("volumes", [])]
    return {target: source for source, target, *_ in parts}


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


def dockerfile_lines() -> list[str]:
    """Return the instructions that the image is built from, those of several lines as one."""
    text = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def last_of(instruction: str) -> str:
    """Return the arguments of the last instruction of a kind."""
    lines = [line.partition(" ")[2] for line in dockerfile_lines() if line.startswith(instruction)]
    return lines[-1]


def server_config() -> ServerConfig:
    """Return the settings that the server is started with."""
    command, config, *_ = services()["server"]["command"]
    assert command == "server"
    return read_config(ROOT / mounts(services()["server"])[config])


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
            [*command, "-f", str(COMPOSE), "--profile", "*", "config", "--quiet"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        return
    pytest.skip("neither `docker compose` nor docker-compose is installed")


def test_there_is_one_image():
    """Every service is built here, from one Dockerfile, whose program is `arena`."""
    assert {str(service.get("build")) for service in services().values()} == {"."}
    assert not any("image" in service for service in services().values())
    assert last_of("ENTRYPOINT") == '["arena"]'


def test_no_service_has_rights_that_it_does_not_need():
    """No root, no capabilities, nothing to write but volumes and /tmp."""
    assert last_of("USER") not in ("", "root", "0")
    for service in services().values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["init"] is True
        assert "user" not in service


def test_the_image_installs_what_playing_needs():
    """The list of requirements in the Dockerfile is that of pyproject.toml, without torch."""
    wanted = {text.partition(">")[0] for text in project_settings()["project"]["dependencies"]}
    assert "torch" not in wanted
    (listed,) = (line for line in dockerfile_lines() if line.startswith("ARG REQUIREMENTS="))
    assert set(listed.partition("=")[2].strip('"').split()) == wanted


def test_build_context_holds_what_the_image_needs():
    """What .dockerignore lets through exists and includes all four packages."""
    kept = {
        line[1:].rstrip("/")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    assert kept >= {*PACKAGES, "pyproject.toml", "constraints.txt", "README.md", "LICENSE"}
    assert all((ROOT / name).exists() for name in kept)


def test_volumes_are_folders_that_the_user_may_write_to():
    """Each takes its owner from the image; compiled code lasts, in one volume for all."""
    (made,) = re.findall(r"install -d -o (\w+) -g \w+ (.*)", last_of("RUN"))
    assert made[0] == last_of("USER")
    folders = made[1].split()
    (cache,) = re.findall(r"ARENA_CACHE_DIR=(\S+)", last_of("ENV"))
    for service in services().values():
        assert mounts(service)[cache] == "cache"
        for target, source in mounts(service).items():
            assert target in folders or source.startswith("./")
            assert source in document()["volumes"] or (ROOT / source).exists()


def test_the_server_is_reached_as_its_config_says():
    """By guests under the service's name, and from this machine alone at its published port."""
    server, config = services()["server"], server_config()
    assert config.listen == "0.0.0.0"
    assert "server" in config.hosts
    assert server["ports"] == [f"127.0.0.1:{config.port}:{config.port}"]
    assert last_of("EXPOSE") == str(config.port)
    assert tuple(offered.bot.label for offered in config.house) == USUAL_HOUSE


def test_the_server_keeps_everything_in_a_volume():
    """Its folder is one, and it has time to pause its matches."""
    server = services()["server"]
    assert server["command"][2] == "--folder"
    assert mounts(server)[server["command"][3]] == "data"
    assert server["stop_grace_period"] == "60s"
    assert "profiles" not in server


def test_the_health_check_asks_for_what_there_is():
    """Its program is one, and its address is in the table of all addresses."""
    kind, program, option, text = services()["server"]["healthcheck"]["test"]
    assert (kind, program, option) == ("CMD", "python", "-c")
    compile(text, "the health check", "exec")
    (port, path) = re.findall(r"http://127\.0\.0\.1:([0-9]+)/(\w+)", text)[0]
    assert int(port) == server_config().port
    assert path in ENDPOINTS


def test_the_guest_connects_to_the_server():
    """With a token that is mounted, and a shipped bot."""
    guest = services()["guest"]
    program, *arguments = command_of(guest)
    assert program == "connect"
    options = CONNECT.parser().parse_args(arguments)
    assert options.url == f"http://server:{server_config().port}/"
    assert str(options.token_file) == f"/run/secrets/{guest['secrets'][0]}"
    assert guest["secrets"][0] in document()["secrets"]
    assert options.bot != ANY_GUEST
    assert find_agent(options.command[0]).name == options.command[0]
    assert guest["networks"] == services()["server"]["networks"]


def test_dealer_command_is_a_match():
    """The dealer plays a match for which each seat has a port that its network can reach."""
    plan = dealer_plan()
    assert plan.listen == "0.0.0.0"
    assert plan.match.hands > 0
    assert len(plan.ports) == len(plan.match.names)


def test_each_agent_finds_its_seat():
    """Every seat of the dealer is taken by one agent, by the dealer's name on their network."""
    plan = dealer_plan()
    game = load_builtin(plan.match.game)
    taken = {}
    for name in AGENTS:
        service = services()[name]
        program, agent, *arguments = command_of(service)
        assert program == "agent"
        parser = argparse.ArgumentParser(exit_on_error=False)
        add_connection_arguments(parser)
        settings = parser.parse_args(arguments)
        assert settings.host == "dealer"
        assert settings.game == game
        assert find_agent(agent).games.contains(game)
        assert service["networks"] == services()["dealer"]["networks"]
        taken[settings.port] = agent
    assert taken == dict(zip(plan.ports, plan.match.names, strict=True))


def test_logs_outlive_the_container():
    """The dealer's working folder, where the log is written, is a named volume."""
    assert mounts(services()["dealer"])[last_of("WORKDIR")] == "logs"
