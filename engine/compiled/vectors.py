"""What types of vectors have in common: operations in two forms, and operators."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from numba.extending import intrinsic, overload

from engine.compiled.jit import RUNS_AS_PYTHON

_INSTRUCTIONS: Final = (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
)


def operation(plain: Callable[..., Any], code: Callable[..., Any]) -> Any:
    """Return an operation for kernels.

    Args:
        plain: what it does where nothing is compiled.
        code: what writes its instructions, as `numba.extending.intrinsic` wants it.
    """
    return plain if RUNS_AS_PYTHON else intrinsic(prefer_literal=False)(code)


def define_operators(vector: Any) -> None:
    """Give a numba type of vectors of floats +, - and * with its like."""
    for symbol, instruction in _INSTRUCTIONS:
        _define_operator(vector, symbol, instruction)


def _define_operator(vector: Any, symbol: Callable[[Any, Any], Any], instruction: str) -> None:
    def code(typing_context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return vector(vector, vector), generate

    combine: Any = intrinsic(prefer_literal=False)(code)

    def combined(a: Any, b: Any) -> Any:
        return combine(a, b)

    @overload(symbol)
    def implementation(a: Any, b: Any) -> Any:
        return combined if a == b == vector else None
