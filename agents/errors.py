"""Everything that can keep an agent from playing; each is one line on stderr and an exit code.

AgentError
    UnknownAgent      no agent has that name
    GameNotPlayed     the agent cannot play the game that was asked for
    GameMismatch      the dealer plays another game than the agent was started for
    DealerUnreachable nobody accepted the connection in time
    ConnectionLost    the connection broke in the middle of a match
    NotADealer        the peer does not speak the protocol
    SentAway          the dealer closed the connection before the first hand
    BadDecision       the bot returned an action that the rules do not allow, or none
    BotFailed         the bot raised an exception
    ProgramFailed     a program that plays on its standard streams ended, or cannot be understood
    ConfigError       a config of a training run is wrong
    TrainingError     a training run cannot be begun or resumed
    TorchMissing      PyTorch, which training needs, is not installed
    PeerLost          another process of a training run is gone
"""

from typing import ClassVar


class AgentError(Exception):
    """The agent cannot play, or cannot play on."""

    exit_code: ClassVar[int] = 1


class UnknownAgent(AgentError):
    """No agent has that name."""

    exit_code = 2


class GameNotPlayed(AgentError):
    """The agent cannot play the game that was asked for."""

    exit_code = 2


class GameMismatch(AgentError):
    """The dealer plays another game than the agent was started for."""

    exit_code = 2


class DealerUnreachable(AgentError):
    """Nobody accepted the connection in time."""


class ConnectionLost(AgentError):
    """The connection broke in the middle of a match."""


class SentAway(AgentError):
    """The dealer closed the connection before the first hand."""


class BadDecision(AgentError):
    """The bot returned an action that the rules do not allow, or none: a bug of the bot."""


class BotFailed(AgentError):
    """The bot raised an exception: a bug of the bot."""


class ProgramFailed(AgentError):
    """A program that plays on its standard streams ended, or cannot be understood."""


class NotADealer(AgentError):
    """The peer does not speak the protocol."""


class ConfigError(AgentError):
    """A config of a training run is wrong."""

    exit_code = 2


class TrainingError(AgentError):
    """A training run cannot be begun or resumed."""

    exit_code = 2


class TorchMissing(AgentError):
    """PyTorch, which training needs, is not installed."""


class PeerLost(AgentError):
    """Another process of a training run is gone."""
