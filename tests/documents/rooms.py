"""Tables of the packages: each room, and what it says about itself."""

import ast
import functools
import re
import tomllib
from pathlib import Path
from typing import Final

from tests.documents.cells import ROOT, table

_SENTENCE: Final = re.compile(r"(.*?[.!?])(?:\s|$)", re.DOTALL)


def first_sentence(package: Path) -> str:
    """Return the first sentence of a package's docstring, without its full stop."""
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
    found = _SENTENCE.match(docstring or "")
    return " ".join(found[1].split()).removesuffix(".") if found else ""


def packages(top: str) -> list[Path]:
    """Return the sub-packages of a package: those that nothing imports first, else by name."""
    order = {name: place for place, name in enumerate(_layers(top))}
    found = [path.parent for path in (ROOT / top).rglob("__init__.py")]

    def place(folder: Path) -> tuple[int, str]:
        parts = folder.relative_to(ROOT).parts
        return order.get(parts[1], len(order)), "/".join(parts)

    return sorted((folder for folder in found if folder != ROOT / top), key=place)


@functools.cache
def _layers(top: str) -> list[str]:
    """Return the layers of a package by the import contracts, the lowest first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract.get("containers") == [top]:
            rows = [re.split(r"\s*[|:]\s*", row) for row in reversed(contract["layers"])]
            return [name.strip("()") for row in rows for name in row]
    return []


def rooms(top: str) -> list[str]:
    """Return a package's rooms, each with what it says about itself."""
    rows = [[f"`{path.relative_to(ROOT)}`", first_sentence(path)] for path in packages(top)]
    return table(["room", "what is in it"], rows)
