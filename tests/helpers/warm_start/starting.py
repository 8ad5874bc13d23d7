"""Starts the warm parent, and writes the script that stands for `sys.executable` meanwhile."""

import os
import subprocess
import sys
from pathlib import Path

from engine.parallel.own_programs import PACKAGES, environment
from tests.helpers.warm_start.program import read_by_imports

HERE = Path(__file__).resolve().parent


class WarmParent:
    """The parent, which ends with this process; `program` runs modules of ours by it."""

    def __init__(self, folder: Path) -> None:
        """Start it; it is waited for when a program is started."""
        self.program = folder / "python"
        address = str(folder / "parent")
        settings = read_by_imports(os.environ, str(PACKAGES))
        self.program.write_text(
            f"#!{sys.executable} -IS\n"
            f"import sys\nsys.path.insert(0, {str(HERE)!r})\n"
            "from program import main\n"
            f"main({address!r}, {sys.executable!r}, {str(PACKAGES)!r}, {settings!r})\n"
        )
        self.program.chmod(0o755)
        words = (sys.executable, "-m", "tests.helpers.warm_start.parent")
        self._process = subprocess.Popen(
            [*words, address, str(self.program)],
            stdin=subprocess.PIPE,
            cwd=PACKAGES,
            env=environment(),
            start_new_session=True,
        )

    def end(self) -> None:
        """End it and all that it has started."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
