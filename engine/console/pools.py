"""Pools of regret minimisers as arguments."""

from __future__ import annotations

import argparse
import re
from typing import Final

from engine.cfr.variants import VARIANTS, Variant

_NAME: Final = re.compile(r"[^,()]+(?:\([^()]*\))?")
"""A name in a comma-separated list; there may be commas between its parentheses."""


def pool_of(text: str) -> tuple[Variant, ...]:
    """Return the variants of a comma-separated list.

    Raises:
        argparse.ArgumentTypeError: one has no such name or is named twice, or there is none.
    """
    names = _NAME.findall(text)
    unknown = [name for name in names if name not in VARIANTS]
    if unknown or ",".join(names) != text or not names:
        wrong = ", ".join(unknown) or (repr(text) if names else "nothing")
        raise argparse.ArgumentTypeError(f"{wrong} in the pool; there are {', '.join(VARIANTS)}")
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"{text!r} names a minimiser twice")
    return tuple(VARIANTS[name] for name in names)
