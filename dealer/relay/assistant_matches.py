"""What an assistant, such as a language model, can do at a server: matches by HTTP, as tools.

The methods of `AssistantMatches` are what `dealer.relay.mcp_server` offers: their docstrings and
parameters are what an assistant reads of them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from dealer.relay.relay import MatchWish
from dealer.relay.server_calls import Server, ServerRefusal, ServerUnreachable
from dealer.relay.shown_deals import ShownDeals, fresh_phrase, judge_deals
from engine.console.version import program_version
from protocol.deals import phrase_digest

if TYPE_CHECKING:
    from collections.abc import Callable

_WAIT_SECONDS: Final = 20
_DECISION_FIELDS: Final = (
    *("id", "match", "leg", "hand", "position", "hole", "board", "street", "pot", "to_call"),
    *("stacks", "betting", "legal", "time_left_ms"),
)
_OPEN: Final = ("waiting", "playing")
"""States behind which another one comes."""


@dataclass(slots=True)
class _AskedMatch:
    """A request, and what is known of its match."""

    phrase: str = ""
    """Words for the deals; "": another process has those of the request."""
    event: int = 0
    shown: ShownDeals | None = None


class AssistantMatches:
    """Matches of one bot, whose decisions an assistant takes."""

    def __init__(self, server: Server, wish: MatchWish, fault: Callable[[str], Exception]) -> None:
        """Have asked for nothing yet.

        Args:
            wish: what is asked for where the assistant does not say.
            fault: makes what is raised with a line for the assistant.
        """
        self._server = server
        self._wish = wish
        self._fault = fault
        self._asked: dict[int, _AskedMatch] = {}

    async def list_house_bots(self) -> dict[str, Any]:
        """List the bots that can be played against at once, and the games that are played."""
        board = await self._call("GET", "api", "board")
        return {
            "you": self._wish.bot,
            "house_bots": [version["bot"] for version in board["house"]],
            "games": board["games"],
        }

    async def ask_for_match(
        self, opponent: str | None = None, hands: int | None = None
    ) -> dict[str, Any]:
        """Ask for a match; its number `request` is for the other tools.

        Each hand begins with full stacks. opponent is a house bot, a bot of somebody else, or
        "guest"; without it the usual one is met.
        """
        wish = self._wish
        asked = _AskedMatch(fresh_phrase(wish.words))
        document = {
            "bot": wish.bot,
            "version": wish.version,
            "digest": f"mcp {program_version()}",
            "game": wish.game,
            "hands": wish.hands if hands is None else hands,
            "opponent": wish.opponent if opponent is None else opponent,
            "pairs": wish.pairs,
            "rated": wish.rated,
            "words_sha256": phrase_digest(asked.phrase),
        }
        made = await self._call("POST", "api", "requests", document=document)
        self._asked[made["request"]] = asked
        return {"request": made["request"], "state": made["state"], "reason": made["reason"]}

    async def wait_for_decision(self, request: int) -> dict[str, Any]:
        """Wait, up to 20 seconds, until the bot is to act or the match is over.

        Answer each of `decisions` with `act`, by its id, before time_left_ms is over. Choose from
        `legal` only; "to" of a raise is the total over the whole hand, earlier streets included.
        Position 0 is the big blind. Call again while `decisions` is empty and `state` is waiting
        or playing.
        """
        end = asyncio.get_running_loop().time() + _WAIT_SECONDS
        asked = self._asked.setdefault(request, _AskedMatch())
        ended: list[dict[str, Any]] = []
        while True:
            left = max(round(end - asyncio.get_running_loop().time()), 0)
            query = {"after": str(asked.event), "wait": str(left)}
            state = await self._call("GET", *_play(request), query=query)
            asked.event = state["event"]
            await self._say_words(request, asked, state)
            ended += [_plain(hand) for hand in state["hands"]]
            if state["decisions"] or state["state"] not in _OPEN or not left:
                return _told(state, ended)

    async def act(
        self, request: int, decision: int, action: str, to: int | None = None
    ) -> dict[str, Any]:
        """Answer the decision of an id: action is fold, check, call, all-in, or raise with "to".

        Returns what comes next, as `wait_for_decision` does. An action that is not legal changes
        nothing and may be tried again.
        """
        answer: dict[str, Any] = {"id": decision, "action": action}
        if to is not None:
            answer["to"] = to
        await self._call("POST", *_play(request), document=answer)
        return await self.wait_for_decision(request)

    async def match_result(self, request: int) -> dict[str, Any]:
        """Tell how a match ended: win rates in thousandths of a big blind a hand, with 95 %
        intervals, by several estimators, of which `best` is the narrowest; where its logs are, and
        whether it is proven that nobody chose the cards.
        """
        query = {"wait": "0", "after": "0"}
        state = await self._call("GET", *_play(request), query=query)
        result = state["result"]
        if result is None:
            raise self._fault(f"request {request} has no result: it is {state['state']}")
        asked = self._asked.get(request, _AskedMatch())
        told = {key: result[key] for key in ("state", "detail", "hands_played", "best", "logs")}
        told["first"], told["second"] = (result[key]["bot"] for key in ("first", "second"))
        told["estimates"] = (result["result"] or {}).get("estimates", {})
        if asked.phrase:
            verdict = judge_deals(asked.shown, asked.phrase, result)
            told["cards_proven"], told["cards_note"] = verdict
        return told

    async def leave_match(self, request: int) -> dict[str, Any]:
        """Leave a match that is played, which forfeits it, or withdraw a request that waits."""
        state = await self._call("GET", "api", "requests", str(request))
        tail = ("play",) if state["match"] is not None else ()
        await self._call("DELETE", "api", "requests", str(request), *tail)
        return {"request": request, "state": "left" if tail else "withdrawn"}

    async def _say_words(self, request: int, asked: _AskedMatch, state: dict[str, Any]) -> None:
        """Say words for the deals where they are waited for, once what was shown is noted."""
        deals = state["deals"]
        if not deals or not deals["words_wanted"]:
            return
        if asked.phrase and asked.shown is None:  # what is shown later was not bound in time
            digests = tuple(deals["words_sha256"])
            match = str(state["request"]["match"])
            asked.shown = ShownDeals(match, deals["commitment"] or "", digests)
        words = {"words": asked.phrase}
        await self._call("POST", "api", "requests", str(request), "words", document=words)

    async def _call(
        self,
        method: str,
        *path: str,
        document: object = None,
        query: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        with self._telling():
            return await self._server.call(method, *path, document=document, query=query)

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        """Make one line for the assistant of what goes wrong."""
        try:
            yield
        except ServerRefusal as refusal:
            raise self._fault(str(refusal)) from refusal
        except ServerUnreachable as error:
            wait = f"; try again in {error.retry_after:.0f} seconds" if error.retry_after else ""
            raise self._fault(f"the server does not answer now: {error}{wait}") from error


def _play(request: int) -> tuple[str, ...]:
    return "api", "requests", str(request), "play"


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """Return what an assistant is told of a hand that is over."""
    fields = ("leg", "hand", "position", "won", "holes", "board", "betting")
    return {key: message[key] for key in fields}


def _told(state: dict[str, Any], ended: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what an assistant is told of a state.

    Args:
        ended: hands that have ended since it was told last.
    """
    return {
        "state": state["state"],
        "reason": state["request"]["reason"],
        "decisions": [
            {key: decision[key] for key in _DECISION_FIELDS if key in decision}
            for decision in state["decisions"]
        ],
        "hands_ended": ended,
        "hands_over": [table["hands_over"] for table in state["tables"]],
        "won": sum(table["won"] for table in state["tables"]),
    }
