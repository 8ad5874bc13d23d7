"""Facts are found in a message as whole words, and what is missing is named."""

import pytest

from tests.helpers.said import refused, says, says_in_a_line

TEXT = "m.log:12: --hands wants 1 to 10,000, not 'x'; Ann sat here"


@pytest.mark.parametrize("fact", ["m.log:12", "--hands", 1, "10,000", "'x'", "x", "Ann", "not 'x'"])
def test_what_is_said(fact):
    """Names, numbers and signs."""
    says(TEXT, fact)


@pytest.mark.parametrize("fact", ["m.log:1", "hand", 10, "000", 2, "ann", "An", "y"])
def test_what_is_not_said(fact):
    """A part of a word or of a number is not the fact; the failure names it and the text."""
    with pytest.raises(AssertionError) as failed:
        says(TEXT, "Ann", fact)
    assert str(failed.value).startswith(f"['{fact}'] not said in ")
    assert repr(TEXT) in str(failed.value)


def test_a_line_is_one():
    """Neither none nor two, and it has its end."""
    says_in_a_line("a 7\n", 7)
    for text in ("", "a 7", "a 7\n\n", "a\n7\n", "\na 7"):
        with pytest.raises(AssertionError, match="not one line"):
            says_in_a_line(text, 7)


def test_an_error_is_one_line_with_the_facts():
    """As a command shows it."""
    with refused(ValueError, 7):
        raise ValueError("no 7")
    for message in ("no 17", "no 7\nTraceback"):
        with pytest.raises(AssertionError), refused(ValueError, 7):
            raise ValueError(message)
    with pytest.raises(pytest.fail.Exception), refused(ValueError, 7):
        pass
