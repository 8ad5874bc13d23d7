"""What the code of a kernel depends on: its module and all that this imports, as one digest.

A kernel holds the code of the kernels it calls and the values of the globals it names, so it is
stale when any of these files has changed.  All imports that can be read from a source are followed,
those within functions too: of our own packages, of the package that the kernel is in and
of what lies beside it.  What only type checkers import is left out.  Text that looks like an import
does no harm: one more file is read.
"""

import hashlib
import os
import re
import sys
import time
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

_OURS: Final = ("protocol", "engine", "dealer", "agents")
_OUR_FOLDER: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ALWAYS: Final = "engine.compiled.jit"
"""Kernels that get it by way of another module depend on it too."""
_INSTALLED: Final = ("site-packages", "dist-packages")
_STARTED: Final = time.time() - time.thread_time()
"""About when this process began, in seconds since the epoch."""

_ONLY_FOR_TYPES: Final = re.compile(
    rb"^if TYPE_CHECKING:.*\n(?:[ \t]+.*\n|[ \t]*\n)+", re.MULTILINE
)
_IMPORT: Final = re.compile(rb"import\b[ \t\\\n]*(?:\(((?:[^)#]|#.*)*)\)|((?:\\\n|[^\n;#])*))")
_FROM: Final = re.compile(rb"\bfrom\s+([.\w]+)[ \t\\\n]*$")
_LONGEST: Final = 200
"""Bytes from `from` to `import`."""
_COMMENT: Final = re.compile(rb"#.*|\\\n")


class _Source(NamedTuple):
    digest: bytes
    names: tuple[str, ...]
    """What may be modules it imports; relative ones begin with dots."""
    changed: float
    """Seconds since the epoch; unlike the time of modification it cannot be set back."""


class _Module(NamedTuple):
    name: str
    path: str

    @property
    def package(self) -> str:
        """Return what its relative imports start from."""
        return self.name if _is_package(self.path) else self.name.rpartition(".")[0]


class _Place(NamedTuple):
    """Where the modules lie that are followed from some module."""

    package: str
    folder: str

    def find(self, name: str) -> list[_Module]:
        """Return the module of a name; nothing if there is none or it is not to be followed."""
        top = name.partition(".")[0]
        if top in _OURS:
            path = _file_of(_OUR_FOLDER, name)
        elif top == self.package or os.path.basename(self.folder) not in _INSTALLED:
            path = _file_of(self.folder, name)
        else:
            path = None
        return [] if path is None else [_Module(name, path)]


@cache
def digest_of_sources(module: str, file: str) -> str | None:
    """Return 64 hex digits that change with whatever the kernels of a module depend on.

    Args:
        module: its name, "__main__" for a program.

    Returns:
        None where that cannot be told: a file is not there, or has changed since this process
        began, which may hold what it said before.
    """
    module = module_name(module, file)
    path = os.path.abspath(file)
    place = _Place(module.partition(".")[0], _folder_above(module, path))
    waiting = [_Module(module, path), *place.find(_ALWAYS)]
    sources: dict[str, bytes] = {}
    while waiting:
        found = waiting.pop()
        if found.name in sources:
            continue
        try:
            source = _read(found.path)
        except OSError:
            return None
        if source.changed > _STARTED:
            return None
        sources[found.name] = source.digest
        waiting += _imports(found, place)
    digest = hashlib.sha256()
    for name, content in sorted(sources.items()):
        digest.update(name.encode() + b"\n" + content)
    return digest.hexdigest()


def module_name(module: str, file: str) -> str:
    """Return the name that a module would be imported by, also for a program, called "__main__"."""
    if module != "__main__":
        return module
    spec = getattr(sys.modules[module], "__spec__", None)
    return spec.name if spec else os.path.splitext(os.path.basename(file))[0]


def _folder_above(module: str, path: str) -> str:
    """Return the folder that the top package of a module is in."""
    for _ in range(1 + module.count(".") + _is_package(path)):
        path = os.path.dirname(path)
    return path


def _is_package(path: str) -> bool:
    return os.path.basename(path) == "__init__.py"


@cache
def _file_of(folder: str, name: str) -> str | None:
    above, _, last = name.rpartition(".")
    if above:
        folder = f"{folder}/{above.replace('.', '/')}"
    if f"{last}.py" in _entries(folder):
        return f"{folder}/{last}.py"
    if last in _entries(folder) and "__init__.py" in _entries(f"{folder}/{last}"):
        return f"{folder}/{last}/__init__.py"
    return None


@cache
def _entries(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


@cache
def _read(path: str) -> _Source:
    """Read a source.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        text = file.read()
        changed = os.fstat(file.fileno()).st_ctime
    return _Source(hashlib.sha256(text).digest(), tuple(_imported(text)), changed)


@cache
def _imports(module: _Module, place: _Place) -> list[_Module]:
    names = {_absolute(name, module.package) for name in _read(module.path).names}
    return [found for name in names for found in place.find(name)]


def _imported(text: bytes) -> Iterator[str]:
    """Yield all that may be a module which a source imports: b of `from a import b` may be one."""
    if b"TYPE_CHECKING" in text:
        text = _ONLY_FOR_TYPES.sub(b"", text)
    for found in _IMPORT.finditer(text):
        listed = _COMMENT.sub(b" ", found[1] or found[2] or b"").decode(errors="replace")
        names = [words[0] for one in listed.split(",") if (words := one.split())]
        source = _FROM.search(text, max(0, found.start() - _LONGEST), found.start())
        if source is None:
            for name in names:
                parts = name.split(".")
                yield from (".".join(parts[: at + 1]) for at in range(len(parts)))
        else:
            module = source[1].decode(errors="replace")
            yield module
            yield from (f"{module}{'' if module.endswith('.') else '.'}{name}" for name in names)


def _absolute(name: str, package: str) -> str:
    """Return the full name of what a module of a package calls by a name with leading dots."""
    tail = name.lstrip(".")
    above = len(name) - len(tail) - 1
    if above < 0:
        return name
    parts = package.split(".")
    return ".".join((*parts[: len(parts) - above], *filter(None, [tail])))
