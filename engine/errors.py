"""Everything the engine can refuse.

EngineError
    IllegalAction   the rules do not allow this action now
    InvalidGame     a game this part of the engine cannot handle
"""


class EngineError(ValueError):
    """A call that the rules of poker do not allow."""


class IllegalAction(EngineError):
    """The rules do not allow this action in this state."""


class InvalidGame(EngineError):
    """The game definition is outside what the called code can handle."""
