"""Who imports what: one way between packages, nothing heavy where it is not needed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.repository import (
    PACKAGES,
    ROOT,
    imported_packages,
    module_name,
    project_settings,
    relative,
    source_files,
)
from tests.helpers.interpreter import INTERPRETER

LIGHT_COMMANDS = (
    "--help",
    "--version",
    "dealer --help",
    "match --help",
    "tournament --help",
    "check --help",
    "games",
    "replay --help",
    "web --help",
    "stats --help",
    "equity --help",
    "agent --list",
    "agent always-call --help",
    "agent rule --help",
    "aivat --help",
    "train blueprint --help",
    "train cnn --help",
    "lbr --help",
    "versus --help",
)
"""Answers that must not wait for libraries to load."""

LIGHT_MODULES = (
    "dealer.server.dealer_command",
    "agents.client, agents.bot_command",
    "agents.baselines.always_call, agents.baselines.biased_random",
)
"""All that runs while a dealer deals and a simple bot plays."""

HEAVY = {"numba", "llvmlite", "torch", "matplotlib"}
SLOW_TO_IMPORT = HEAVY | {"numpy", "asyncio"}
MAY_NEED = {"dealer --help": {"asyncio"}}
"""Answers of programs that need that for whatever they do -> what it is."""

MAY_IMPORT = {
    "protocol": {"protocol"},
    "engine": {"engine", "protocol", "numpy", "numba", "llvmlite", "pokerkit"},
    "dealer": {"dealer", "engine", "protocol", "numpy", "structlog", "mcp"},
    "agents": {
        "agents",
        "engine",
        "protocol",
        "numpy",
        "msgpack",
        "structlog",
        "torch",
    },
}
"""Beside the standard library."""

WRITTEN_IN_TORCH = {
    "agents.bridges.train.ppo",
    "agents.deepstack.net",
    "agents.deepstack.train.board_training",
    "agents.training.actor_critic",
    *(
        f"agents.learners.train.{name}"
        for name in ["learner_run", "nfsp", "player_nets", "policy_gradient", "sampled_cfr"]
    ),
    "agents.poker_cnn.net",
    *(
        f"agents.poker_cnn.train.{name}"
        for name in ["baselines", "descent", "devices", "rounds", "cnn_run", "stage", "states"]
    ),
    "agents.statistical.learning.ann_training",
}
"""Modules that nothing imports before it learns."""
PART_OF_NUMBA = {"llvmlite"}
"""Comes with it, in the one version that fits."""


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a new interpreter in the repository, with warnings as errors."""
    return subprocess.run(
        [INTERPRETER, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the import contracts of the packages in `folder`."""
    script = Path(INTERPRETER).with_name("lint-imports")
    return subprocess.run(
        [str(script), "--no-cache", "--config", "pyproject.toml"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def copy_packages(folder: Path) -> Path:
    """Copy the packages and their contracts to `folder`."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_import_contracts_hold():
    """The packages keep the contracts in pyproject.toml."""
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout


VIOLATIONS = [
    ("protocol/cards.py", "import engine.errors", "protocol <- engine <- dealer | agents"),
    ("dealer/server/seat.py", "import agents.bot", "protocol <- engine <- dealer | agents"),
    ("dealer/server/seat.py", "import dealer.series.schedule", "the rooms of the dealer"),
    ("dealer/logs/showing/show.py", "import dealer.server.table", "the rooms of the dealer"),
    ("protocol/lines.py", "import socket", "protocol is sans-IO and dependency-free"),
    ("dealer/web/events.py", "import asyncio", "HTTP is sans-IO and knows no poker"),
    ("dealer/logs/showing/show.py", "import dealer.web.archive", "the rooms of the dealer"),
    ("engine/rules/pots.py", "import engine.showdown.evaluator", "the rooms of the engine"),
    ("engine/play/simulate.py", "import engine.console.output", "the rooms of the engine"),
    ("engine/errors.py", "import asyncio", "engine is synchronous and torch-free"),
    ("agents/bot.py", "import numba", "numba stays in engine.compiled"),
    ("engine/hands/cards.py", "import llvmlite", "numba stays in engine.compiled"),
    (
        "agents/statistical/counting/counters.py",
        "import agents.statistical.ranges.thresholds",
        "the rooms of the statistical modeller",
    ),
    (
        "agents/blueprint/bot.py",
        "def later():\n    import agents.rulebook.bot",
        "the rooms of the agents",
    ),
    ("agents/statistical/bot.py", "import agents.opponents.laws", "the rooms of the agents"),
    ("agents/measuring/versus.py", "import agents.opponents.policy", "the rooms of the agents"),
    ("agents/roster/bots.py", "import agents.opponents.policy", "the rooms of the agents"),
    ("agents/roster/bridges.py", "import agents.bridges.ppo_bot", "the rooms of the agents"),
    ("agents/compiled/spots.py", "import agents.roster.bots", "the rooms of the agents"),
    ("dealer/series/leg.py", "import torch", "the dealer is torch-free"),
    (
        "agents/evolution/evolution_run.py",
        "import matplotlib",
        "matplotlib is for the figures of studies",
    ),
    ("agents/bot.py", "import torch", "torch is for networks and training"),
    ("agents/measuring/lbr.py", "import torch.nn", "torch is for networks and training"),
]
"""(file, forbidden import, the contract that forbids it)."""


@pytest.fixture(scope="module")
def violated(tmp_path_factory):
    """What the contracts say of a copy of the packages with all violations in it."""
    folder = copy_packages(tmp_path_factory.mktemp("violated"))
    for file, line, _ in VIOLATIONS:
        changed = folder / file
        changed.write_text(changed.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    return lint_imports(folder)


@pytest.mark.parametrize(("file", "line", "contract"), VIOLATIONS)
def test_breaking_a_contract_is_noticed(violated, file, line, contract):
    """Under the contract that forbids it, a forbidden import is found and named."""
    assert violated.returncode != 0
    assert f"{contract} BROKEN" in violated.stdout
    details = violated.stdout.partition("Broken contracts")[2]
    section = details.partition(f"{contract}\n---")[2].partition("\n---")[0]
    words = " ".join(section.split())  # long lines are broken
    importer = file.removesuffix(".py").replace("/", ".")
    imported = line.rpartition("import ")[2]
    top = imported.partition(".")[0]
    assert f"{importer} -> {imported if top in PACKAGES else top} (l." in words


def test_every_module_imports_without_torch():
    """Every module can be imported, with warnings as errors; few need torch for that."""
    names = [module_name(path) for path in source_files() if path.name != "__main__.py"]
    names = [name for name in names if name not in WRITTEN_IN_TORCH]
    code = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "assert 'torch' not in sys.modules, 'torch was imported'\n"
    )
    result = run_python(code)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("modules", LIGHT_MODULES)
def test_simple_programs_run_without_numba_and_torch(modules):
    """What a dealer and a simple bot consist of needs no compiled code and no tensors."""
    result = run_python(f"import sys, {modules}\nassert not {HEAVY!r} & set(sys.modules)")
    assert result.returncode == 0, result.stderr


def test_a_dealer_runs_without_numpy():
    """It is most of what a dealer would take to start."""
    result = run_python(
        "import sys, dealer.server.dealer_command\nassert 'numpy' not in sys.modules"
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("command", LIGHT_COMMANDS)
def test_command_line_answers_without_libraries(command):
    """Help and lists come at once: nothing that takes long to import is needed for them."""
    result = subprocess.run(
        [INTERPRETER, "-X", "importtime", "-m", "dealer.arena", *command.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "dealer" in imported
    assert not (SLOW_TO_IMPORT - MAY_NEED.get(command, set())) & imported


@pytest.mark.parametrize("package", PACKAGES)
def test_package_imports_only_what_it_may(package):
    """A package imports the standard library and a short list of other packages."""
    allowed = MAY_IMPORT[package] | sys.stdlib_module_names
    foreign = {
        relative(path): names - allowed
        for path in source_files()
        if path.is_relative_to(ROOT / package) and (names := imported_packages(path)) - allowed
    }
    assert not foreign


def test_python_template_needs_only_the_standard_library():
    """The template for bots in Python runs where nothing of ours is installed."""
    template = ROOT / "agents" / "templates" / "bot.py"
    assert imported_packages(template) <= sys.stdlib_module_names


def names_of(requirements: list[str]) -> set[str]:
    """Return the names in a list of requirements."""
    return {requirement.partition(">")[0] for requirement in requirements}


def test_playing_needs_four_packages_and_the_extras_one_each():
    """The declared dependencies cover every import and are no more than agreed."""
    project = project_settings()["project"]
    run_time = names_of(project["dependencies"])
    training = names_of(project["optional-dependencies"]["train"])
    assert run_time == {"numpy", "numba", "msgpack", "structlog"}
    studies = names_of(project["optional-dependencies"]["studies"])
    formats = names_of(project["optional-dependencies"]["formats"])
    assistants = names_of(project["optional-dependencies"]["mcp"])
    assert (training, studies, formats) == ({"torch"}, {"matplotlib"}, {"pokerkit"})
    assert assistants == {"mcp"}
    assert names_of(project["optional-dependencies"]["cluster"]) == {"distributed"}
    imported = set().union(*MAY_IMPORT.values()) - set(PACKAGES) - PART_OF_NUMBA
    assert imported == run_time | training | formats | assistants
