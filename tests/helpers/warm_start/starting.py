"""Starts the warm parent, and writes the script that stands for `INTERPRETER` meanwhile."""

import os
import subprocess
from pathlib import Path

from engine.parallel.own_programs import PACKAGES_FOLDER, environment
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.warm_start.program import read_by_imports

HERE = Path(__file__).resolve().parent
PARENT = ("-m", "tests.helpers.warm_start.parent")


class WarmParent:
    """The parent, which ends with this process; `program` runs modules of ours by it."""

    def __init__(self, folder: Path, words: tuple[str, ...] = PARENT) -> None:
        """Start it, by these words; until it listens, the interpreter runs all programs."""
        self.program = folder / "python"
        address = str(folder / "parent")
        settings = read_by_imports(os.environ, str(PACKAGES_FOLDER))
        self.program.write_text(
            f"#!{INTERPRETER} -IS\n"
            f"import sys\nsys.path.insert(0, {str(HERE)!r})\n"
            "from program import main\n"
            f"main({address!r}, {INTERPRETER!r}, {str(PACKAGES_FOLDER)!r}, {settings!r})\n"
        )
        self.program.chmod(0o755)
        self.process = subprocess.Popen(
            [INTERPRETER, *words, address, str(self.program)],
            stdin=subprocess.PIPE,
            cwd=PACKAGES_FOLDER,
            env=environment(),
            start_new_session=True,
        )

    def end(self) -> None:
        """End it and all that it has started."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
