"""What a message must say: the facts in it, whatever the sentence around them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


def says(text: object, *facts: object) -> None:
    """Fail unless each fact stands in `text`, and not as a part of a longer word or number.

    A fact is what the reader needs: a name, a value, a limit, a file with its line, or the one or
    two words that tell this fault from the others.
    """
    told = str(text)
    missing = [str(fact) for fact in facts if not _stands_in(str(fact), told)]
    assert not missing, f"{missing} not said in {told!r}"


def says_in_a_line(text: str, *facts: object) -> None:
    """Fail unless `text` is one whole line that says the facts: an error, and no traceback."""
    assert text.find("\n") == len(text) - 1 >= 0, f"not one line: {text!r}"
    says(text, *facts)


@contextmanager
def refused(error: type[Exception], *facts: object) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """Expect an error whose message is one line that says the facts."""
    with pytest.raises(error) as caught:
        yield caught
    says_in_a_line(f"{caught.value}\n", *facts)


def _stands_in(fact: str, text: str) -> bool:
    before = r"(?<!\w)(?<!\d[.,])" if re.match(r"\w", fact) else ""
    after = r"(?!\w)(?![.,]\d)" if re.search(r"\w$", fact) else ""
    return re.search(f"{before}{re.escape(fact)}{after}", text) is not None
