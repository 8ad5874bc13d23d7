"""How large a clone's files are, by folder: `python -m tests.architecture.size`, `make check-size`.

Models, networks and pages grow; so there is a budget for all files that git tracks together.  The
exit code is 1 where it is spent, and 0 where there is no git to ask.
"""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

MIB: Final = 1 << 20
BUDGET: Final = 50 * MIB
ROOT: Final = Path(__file__).resolve().parents[2]


def tracked_bytes(root: Path) -> Counter[str] | None:
    """Return the bytes of tracked files by top folder, "." for those beside them; None: no git."""
    if shutil.which("git") is None or not (root / ".git").exists():
        return None
    command = ["git", "ls-files", "-z"]
    names = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout.decode()
    found: Counter[str] = Counter()
    for name in filter(None, names.split("\0")):
        path = root / name
        if path.is_file():
            found[name.partition("/")[0] if "/" in name else "."] += path.lstat().st_size
    return found


def size_table(found: Counter[str], budget: int) -> list[str]:
    """Return a line for each folder, the largest first, and one for the sum."""
    rows = [*found.most_common(), ("together", found.total())]
    width = max(len(folder) for folder, _ in rows)
    lines = [f"{folder:{width}}  {size / MIB:6.2f} MiB" for folder, size in rows]
    return [*lines[:-1], f"{lines[-1]} of {budget / MIB:g}"]


def main(root: Path = ROOT, budget: int = BUDGET) -> int:
    """Print the table; return the exit code."""
    found = tracked_bytes(root)
    if found is None:
        print("no git checkout: nothing to count")
        return 0
    print("\n".join(size_table(found, budget)))
    if found.total() > budget:
        print("too large: make files smaller, or keep them out of the repository", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
