"""Runs a function of an object file in this process: as a linker does it, and without numba.

An object file as `object_code` makes it needs four things done: its sections put into memory, the
addresses of one in the other filled in, the C library's functions found, the memory made
executable.  LLVM does it, too, but takes 50 ms and 45 MB.  It is used only for object files that
this module cannot link, above all those of other processors.

Sources: "System V ABI, AMD64 Architecture Processor Supplement", section 4.4, and elf(5).
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

Function: TypeAlias = Callable[[int], int]
"""From int64 to int64; others run meanwhile.  What it holds on to stays in memory."""

_HEADER: Final = struct.Struct("<4sBBB9xHHIQQQIHHHHHH")
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_SYMBOL: Final = struct.Struct("<IBBHQQ")
_RELOCATION: Final = struct.Struct("<QIIq")
_ELF_64_LITTLE: Final = (b"\x7fELF", 2, 1)
_RELOCATABLE: Final = 1
_X86_64: Final = 62
_SYMBOL_TABLE: Final = 2
_RELOCATIONS: Final = 4
_NO_DATA: Final = 8
_WRITABLE: Final = 1
_IN_MEMORY: Final = 2
_UNWINDING: Final = b".eh_frame"
_TO_HERE: Final = {2, 4}
"""R_X86_64_PC32 and R_X86_64_PLT32: symbol + addend - place, 32 bits."""
_JUMP: Final = b"\xff\x25\0\0\0\0"
"""jmp *0(%rip): to the address in the eight bytes that follow."""
_JUMP_BYTES: Final = 16


class _UnknownHereError(Exception):
    """An object file has something in it that is not known here."""


class _Section(NamedTuple):
    name: bytes
    kind: int
    flags: int
    data: memoryview
    link: int
    info: int
    align: int


class _Symbol(NamedTuple):
    name: bytes
    section: int
    """0 for one that is to be found elsewhere."""
    value: int


def load_function(code: bytes, name: str) -> Function:
    """Return a function of an object file, int32 f(int64 *result, void **unused, int64 argument).

    Raises:
        OSError: the system gives no memory that can be executed.
        RuntimeError: it is damaged, wants what the C library has not, or LLVM cannot load it.
    """
    try:
        return _callable(*_linked(code, name.encode()))
    except _UnknownHereError:
        _check_needs(code)
        return _callable(*_linked_by_llvm(code, name))


def _callable(address: int, memory: object) -> Function:
    raw = ctypes.CFUNCTYPE(
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.c_int64,
    )(address)

    def call(argument: int, _memory: object = memory) -> int:
        result, unused = ctypes.c_int64(), ctypes.c_void_p()
        if raw(ctypes.byref(result), ctypes.byref(unused), argument):
            raise RuntimeError("compiled code raised an exception")
        return result.value

    return call


def _linked(code: bytes, name: bytes) -> tuple[int, mmap.mmap]:
    """Return a function's address, and the memory in which it is.

    Raises:
        _UnknownHereError: see there.
        OSError: the system gives no memory that can be executed.
        RuntimeError: it is damaged.  LLVM does not look, and ends the process.
    """
    try:
        sections = _sections(code)
        symbols = _symbols(sections)
        if _HEADER.unpack_from(code)[5] != _X86_64:
            raise _UnknownHereError("another processor")
        return _placed(sections, symbols, name)
    except (struct.error, IndexError, ValueError) as error:
        raise RuntimeError(f"an object file is damaged: {error}") from error


def _sections(code: bytes) -> list[_Section]:
    header = _HEADER.unpack_from(code)
    if header[:3] != _ELF_64_LITTLE or header[4] != _RELOCATABLE:
        raise ValueError("no object file")
    start, count, names = header[9], header[15], header[16]
    rows = [_SECTION.unpack_from(code, start + _SECTION.size * row) for row in range(count)]
    titles = code[rows[names][4] : rows[names][4] + rows[names][5]]
    whole = memoryview(code)
    return [
        _Section(
            _text(titles, row[0]),
            row[1],
            row[2],
            whole[row[4] : row[4] + row[5]] if row[1] != _NO_DATA else memoryview(bytes(row[5])),
            row[6],
            row[7],
            max(row[8], 1),
        )
        for row in rows
    ]


def _text(table: bytes, start: int) -> bytes:
    return table[start : table.index(b"\0", start)]


def _symbols(sections: list[_Section]) -> list[_Symbol]:
    for section in sections:
        if section.kind == _SYMBOL_TABLE:
            names = bytes(sections[section.link].data)
            rows = _SYMBOL.iter_unpack(section.data)
            return [_Symbol(_text(names, row[0]), row[3], row[4]) for row in rows]
    raise _UnknownHereError("no symbols")


def _placed(sections: list[_Section], symbols: list[_Symbol], name: bytes) -> tuple[int, mmap.mmap]:
    """Put the sections into memory, and jumps to the C library's functions behind them."""
    places: dict[int, int] = {}
    end = 0
    for number, section in enumerate(sections):
        if section.flags & _IN_MEMORY and section.name != _UNWINDING:
            if section.flags & _WRITABLE and len(section.data):
                raise _UnknownHereError(f"variables in {section.name!r}")
            places[number] = end = -(-end // section.align) * section.align
            end += len(section.data)
    end = -(-end // _JUMP_BYTES) * _JUMP_BYTES
    image = bytearray(end)
    for number, place in places.items():
        data = sections[number].data
        image[place : place + len(data)] = data
    jumps: dict[bytes, int] = {}
    for section in sections:
        if section.kind == _RELOCATIONS and section.info in places:
            for at, kind, number, addend in _RELOCATION.iter_unpack(section.data):
                if kind not in _TO_HERE:
                    raise _UnknownHereError(f"relocation {kind}")
                symbol = symbols[number]
                if symbol.section in places:
                    goal = places[symbol.section] + symbol.value
                elif symbol.section:
                    raise _UnknownHereError(f"{symbol.name!r} is in no section")
                else:
                    if symbol.name not in jumps:
                        jumps[symbol.name] = len(image)
                        image += _jump_to(symbol.name)
                    goal = jumps[symbol.name]
                place = places[section.info] + at
                struct.pack_into("<i", image, place, goal + addend - place)
    entry = next((one for one in symbols if one.name == name), None)
    if entry is None or entry.section not in places:
        raise _UnknownHereError(f"no {name!r}")
    memory, start = _executable(image)
    return start + places[entry.section] + entry.value, memory


def _jump_to(name: bytes) -> bytes:
    try:
        function = ctypes.CDLL(None)[name.decode()]
    except AttributeError as error:
        raise _UnknownHereError(f"no {name!r} in the C library") from error
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return (_JUMP + struct.pack("<Q", address)).ljust(_JUMP_BYTES, b"\0")


def _executable(image: bytearray) -> tuple[mmap.mmap, int]:
    """Return memory with these bytes, and its address.

    Raises:
        OSError: the system gives no memory that can be executed.
    """
    memory = mmap.mmap(-1, len(image), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory[:] = bytes(image)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    library = ctypes.CDLL(None, use_errno=True)
    size, rights = ctypes.c_size_t(len(image)), mmap.PROT_READ | mmap.PROT_EXEC
    if library.mprotect(ctypes.c_void_p(start), size, rights):
        raise OSError(ctypes.get_errno(), "memory cannot be made executable")
    return memory, start


def _check_needs(code: bytes) -> None:
    """Check that the C library has all functions that the code calls.

    LLVM would have the program crash at the first call of a missing one.

    Raises:
        RuntimeError: it is damaged, or wants something that the C library has not.
    """
    try:
        for symbol in _symbols(_sections(code))[1:]:
            if not symbol.section:
                _jump_to(symbol.name)
    except (struct.error, IndexError, ValueError, _UnknownHereError) as error:
        raise RuntimeError(f"an object file cannot be loaded: {error}") from error


def _linked_by_llvm(code: bytes, name: str) -> tuple[int, Any]:
    """Do the same as `_linked`, by LLVM.

    Raises:
        RuntimeError: it is damaged, wants what the C library has not, or LLVM cannot load it.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(name)
    if not address:
        raise RuntimeError(f"no {name} in an object file")
    return address, engine
