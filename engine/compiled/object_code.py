"""A raw kernel as an object file: for programs that run it without numba, see `machine_code`."""

from __future__ import annotations

import platform
from collections.abc import Callable
from ctypes import CDLL
from typing import Any, Final

import llvmlite.binding as llvm

from engine.compiled.jit import RUNS_AS_PYTHON, compiled_apart

_ANY_PROCESSOR: Final = {"x86_64": "x86-64", "aarch64": "generic"}
"""What LLVM calls the least one that runs Linux: home folders are shared by many machines."""


def object_code(function: Callable[[int], int], name: str) -> bytes:
    """Compile a function and all kernels it calls; return an object file.

    It holds one function for others, int32 `name`(int64 *result, void **unused, int64 argument),
    which returns 0, and wants nothing but functions of the C library.

    Args:
        function: no kernel yet, but to be compiled as a raw one; from int64 to int64.

    Raises:
        RuntimeError: kernels are not compiled here, the function wants more than the C library
            has, such as numba's run time, or LLVM cannot do it.
    """
    if RUNS_AS_PYTHON:
        raise RuntimeError("NUMBA_DISABLE_JIT is set")
    found = compiled_apart(function)
    module = llvm.parse_assembly(found.library.get_llvm_str())
    module.get_function(found.fndesc.llvm_func_name).name = name
    processor = _ANY_PROCESSOR.get(platform.machine(), "")
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(cpu=processor, opt=3, reloc="pic", codemodel="small")
    _keep_only(module, name, machine)
    _check_needs(module)
    return bytes(machine.emit_object(module))


def _check_needs(module: Any) -> None:
    library = CDLL(None)
    for own in (*module.functions, *module.global_variables):
        is_ours = own.name.startswith("llvm.") or not own.is_declaration
        if not is_ours and not hasattr(library, own.name):
            raise RuntimeError(f"compiled code needs {own.name}, which the C library has not")


def _keep_only(module: Any, name: str, machine: Any) -> None:
    """Remove all but a function and what it calls from a module; numba adds much for Python."""
    for own in (*module.functions, *module.global_variables):
        if not own.is_declaration and own.name != name:
            own.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    passes.run(module, llvm.create_pass_builder(machine, options))
