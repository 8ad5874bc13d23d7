"""One betting action."""

import pytest

from protocol.actions import CALL, FOLD, RAISE, Action, raise_to


@pytest.mark.parametrize(
    ("action", "text"), [(FOLD, "f"), (CALL, "c"), (RAISE, "r"), (raise_to(300), "r300")]
)
def test_text_is_what_stands_in_the_betting(action, text):
    """Only a no-limit raise carries a size."""
    assert action.text == text


def test_actions_are_values():
    """Equal actions are interchangeable, also as keys."""
    assert raise_to(300) == Action("r", 300)
    assert len({raise_to(300), Action("r", 300), RAISE}) == 2


@pytest.mark.parametrize("chips", [0, -1])
def test_a_raise_has_a_positive_size(chips):
    """Zero would be written like a limit raise."""
    with pytest.raises(ValueError, match="raise to"):
        raise_to(chips)
