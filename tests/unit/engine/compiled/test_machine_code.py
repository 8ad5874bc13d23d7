"""Functions of object files, run without numba: linked by hand, or else by LLVM."""

import platform
import struct
import subprocess

import numpy as np
import pytest

from engine.compiled import machine_code
from engine.compiled.c_library import INT, LONG, array_at, c_function
from engine.compiled.jit import RUNS_AS_PYTHON, raw_kernel
from engine.compiled.machine_code import load_function
from engine.compiled.object_code import object_code
from engine.parallel.own_programs import environment
from tests.helpers.interpreter import INTERPRETER

pytestmark = pytest.mark.skipif(RUNS_AS_PYTHON, reason="nothing is compiled")

on_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="others ask LLVM")
POWERS = np.array([3**power for power in range(20)])
_magnitude = c_function("labs", LONG, LONG)
_letter = c_function("toupper", INT, INT)


@raw_kernel
def sum_of_rows(address: int, rows: int) -> int:
    """Add the numbers of a table of three columns, each multiplied by 3 to the power of its row."""
    table = array_at(address, (rows, 3), np.int64)
    total = 0
    for row in range(rows):
        for column in range(3):
            total += POWERS[row] * table[row, column]
    return total


def everything(address: int) -> int:
    """Use a constant table, another kernel, arrays at addresses, functions of the C library."""
    where = array_at(address, (2,), np.int64)
    return int(_magnitude(sum_of_rows(where[0], where[1])) + _letter(np.int32(97)))


def as_expected(function) -> bool:
    table = -np.arange(60).reshape(20, 3)
    directory = np.array([table.ctypes.data, 20])
    expected = abs(int((POWERS[:, None] * table).sum())) + ord("A")
    return function(directory.ctypes.data) == expected


COMPILE = f"""
import sys
from engine.compiled.object_code import object_code
from {__name__} import everything
sys.stdout.buffer.write(object_code(everything, "everything"))
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory) -> bytes:
    """Compiled where no ordinary kernel was compiled before, see `dealer.lane.compiling`."""
    own = environment() | {"ARENA_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}
    return subprocess.check_output([INTERPRETER, "-c", COMPILE], env=own)


@pytest.fixture
def no_llvm(monkeypatch):
    """Have LLVM asked for nothing."""

    def fail(*_arguments):
        raise RuntimeError("LLVM was asked")

    monkeypatch.setattr(machine_code, "_linked_by_llvm", fail)


def test_a_function_does_what_it_does_in_python(code):
    """On whatever processor this is."""
    assert as_expected(load_function(code, "everything"))


@on_x86
def test_what_kernels_consist_of_is_linked_by_hand(code, no_llvm):
    """It is what saves 50 ms and 45 MB."""
    assert as_expected(load_function(code, "everything"))


@on_x86
@pytest.mark.parametrize("known", ["_TO_HERE", "_X86_64"])
def test_llvm_links_what_is_not_known_here(code, monkeypatch, known):
    """Another kind of relocation, another processor."""
    monkeypatch.setattr(machine_code, known, {0} if known == "_TO_HERE" else 0)
    with pytest.raises(machine_code._UnknownHereError):
        machine_code._linked(code, b"everything")
    assert as_expected(load_function(code, "everything"))


def test_a_function_that_is_not_there(code, no_llvm):
    """Neither by hand, nor has LLVM a better answer."""
    with pytest.raises(RuntimeError, match="LLVM was asked"):
        load_function(code, "nothing")


@on_x86
def test_a_file_that_is_cut_is_never_run(code, no_llvm):
    """Nor given to LLVM, which would end the process; other damage shows in its digest."""
    for length in range(0, len(code), 61):
        with pytest.raises(RuntimeError, match="damaged"):
            load_function(code[:length], "everything")


@pytest.mark.parametrize("junk", [b"", bytes(1000), b"MZ" * 500])
def test_what_is_no_object_file_is_not_given_to_llvm(junk, no_llvm):
    """On any processor."""
    with pytest.raises(RuntimeError, match="damaged"):
        load_function(junk, "everything")


def test_what_no_library_has_is_not_called(code):
    """Neither by hand nor by LLVM: the program would end at its first call."""
    renamed = code.replace(b"\0toupper\0", b"\0toUpper\0")
    assert renamed != code
    with pytest.raises(RuntimeError, match="toUpper"):
        load_function(renamed, "everything")


def test_code_that_needs_numba_is_refused():
    """What counts references calls its run time, which a dealer has not."""
    missing = c_function("NRT_MemInfo_call_dtor", LONG, LONG)

    def needy(number: int) -> int:
        return int(missing(number))

    with pytest.raises(RuntimeError, match="NRT_MemInfo_call_dtor"):
        object_code(needy, "needy")


@on_x86
def test_an_exception_of_compiled_code_is_one_here(code, monkeypatch):
    """Raw kernels raise none; should one do, nothing of its result is used."""
    monkeypatch.setattr(machine_code, "_linked", lambda *_: (_returns_one(), None))
    with pytest.raises(RuntimeError, match="compiled code raised an exception"):
        load_function(code, "everything")(0)


def _returns_one() -> int:
    """Return the address of "mov eax, 1; ret"."""
    memory, start = machine_code._executable(bytearray(struct.pack("<BIB", 0xB8, 1, 0xC3)))
    _kept.append(memory)
    return start


_kept: list[object] = []
