"""A program that tells what a strategy would do in hands: lines in, lines out.

    python -m agents.analysis.strategy_program GAME BOT
    python -m agents.analysis.strategy_program --check BOT

GAME is the text of a game file, of hold'em for two; BOT a strategy as `arena versus` reads it.
Each line of standard input is the STATE line of a hand, cut behind any action or whole; its values
and names mean nothing.  It is answered with a line of JSON: {"decisions": [...]}, see
`hand_strategies`, or {"error": "what is wrong"}.  A "note" tells of a strategy that does not
repeat.  A line with "values " before it is answered by what actions are worth, see
`decision_values`.  The strategy is opened by the first line.  With
--check it only says, in a line of standard error and by exit code 2, where there is no such
strategy.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from agents.errors import AgentError
from agents.roster.bots import find_agent
from agents.roster.strategies import read_strategy, seat
from agents.training.logs import hand_of_line
from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS
from engine.console.output import tell
from engine.errors import EngineError
from protocol.errors import ProtocolError
from protocol.gamedef import parse_gamedef
from protocol.handlog import HandRecord, parse_log_line

if TYPE_CHECKING:
    from engine.betting.policy import Policy
    from protocol.gamedef import GameDef

CHECK: Final = "--check"
VALUES_PREFIX: Final = "values "


class StrategyAnswers:
    """Answers lines by one strategy of one game."""

    def __init__(self, game: str, bot: str) -> None:
        """Know what to open.

        Args:
            game: text of a game file.
            bot: as `agents.roster.strategies.read_strategy` reads it.
        """
        self._named = game, bot
        self._opened: tuple[GameDef, Policy] | None = None
        self._note = ""

    def answer(self, line: str) -> dict[str, Any]:
        """Return the answer to a line."""
        try:
            answer: dict[str, Any] = {"decisions": self._decisions(line)}
        except (AgentError, EngineError, ProtocolError, ValueError, OSError) as error:
            return {"error": str(error)}
        return answer | ({"note": self._note} if self._note else {})

    def _decisions(self, line: str) -> list[dict[str, Any]]:
        from agents.analysis.decision_values import hand_values_told
        from agents.analysis.hand_strategies import hand_strategies

        if self._opened is None:
            text, bot = self._named
            named = read_strategy(bot)
            rules, (player,) = seat((named,), parse_gamedef(text))
            if named.agent is not None:
                self._note = find_agent(named.agent).clock_note(named.options)
            self._opened = rules, player.policy
        game, policy = self._opened
        record = parse_log_line(line.removeprefix(VALUES_PREFIX))
        if not isinstance(record, HandRecord):
            raise ValueError("want the STATE line of a hand")
        tell = hand_values_told if line.startswith(VALUES_PREFIX) else hand_strategies
        return tell(policy, hand_of_line(game, record, over=False))


def main() -> int:
    """Answer all lines; return the exit code."""
    game, bot = sys.argv[1:]
    if game == CHECK:
        return _check(bot)
    answers = StrategyAnswers(game, bot)
    try:
        for line in sys.stdin.buffer:
            answer = json.dumps(answers.answer(line.decode("ascii", "replace")))
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()
    except BrokenPipeError:  # nobody waits for it any more
        return FAILED
    return 0


def _check(bot: str) -> int:
    """Say what is wrong with a strategy; return the exit code."""
    try:
        model = read_strategy(bot).options.get("model")
        if model is not None:
            os.stat(str(model))
    except AgentError as error:
        tell(str(error))
        return WRONG_ARGUMENTS
    except OSError as error:
        tell(f"{error.filename}: {error.strerror}")
        return WRONG_ARGUMENTS
    return 0


if __name__ == "__main__":
    sys.exit(main())
