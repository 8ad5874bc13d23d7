"""The relay: asks a server for matches, hears of seats, plays them, and tells what happens.

What a request and a match have come to is always asked for anew, whenever the server has news and
now and then without; so nothing is missed that was told while the connection was lost.
"""

import asyncio
import contextlib
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import Participant, compiles
from dealer.bots.processes import ProcessLauncher, in_words
from dealer.bots.program_files import program_digest
from dealer.bots.programs import OutputFile, bot_program, compiling_text
from dealer.plan.match_plan import MatchLimits
from dealer.relay.backoff import Backoff
from dealer.relay.seats import BotError, OfferError, SeatedRelay, SeatEnd, read_offer
from dealer.relay.server_calls import Server, ServerRefusal, ServerUnreachable
from dealer.relay.shown_deals import ShownDeals, fresh_phrase, judge_deals
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.version import program_version
from engine.storage.documents import json_document
from protocol.deals import phrase_digest
from protocol.errors import GameDefError
from protocol.gamedefs import builtin_path

SERVER_GONE: Final = 3
"""Exit code: the server could not be reached for too long."""
UNPROVEN: Final = 4
"""Exit code: the host may have chosen the cards of a match."""
_NAME_BYTES: Final = 12
_LOOK_SECONDS: Final = 30.0
_MOST_FAILURES: Final = 3
_WATCH_PATH: Final = re.compile(r"watch/[0-9a-f.]{1,60}/")
_EXIT_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class MatchWish:
    """What a relay asks for."""

    bot: str
    version: str
    game: str
    hands: int
    opponent: str | None
    """None: whoever helps most."""
    pairs: bool
    rated: bool
    words: str
    """Of the guest's own, for the deals, to which random ones are added."""

    @property
    def against(self) -> str:
        """Whom it wants to meet, in words."""
        return self.opponent or "anyone"


@dataclass(frozen=True, slots=True)
class RelaySettings:
    """How a relay goes about it."""

    matches: int | None
    """None: as many as it comes to."""
    jobs: int
    """At a time."""
    patience: float
    """Seconds without the server after which it has gone."""
    folder: Path
    """For what bots write."""


class RelayStopped(Exception):
    """A relay cannot go on; the text says why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code: Final = code
        """The exit code."""


class Relay:
    """One bot at one server."""

    def __init__(
        self,
        server: Server,
        wish: MatchWish,
        bot: Participant,
        settings: RelaySettings,
        tell: Callable[[str], None],
    ) -> None:
        """Do nothing yet; `tell` hears in one line of what happens."""
        self._server = server
        self._wish = wish
        self._bot = bot
        self._settings = settings
        self._tell = tell
        self._begun = 0
        self._code = 0
        self._failures = 0
        self._refused = False
        self._stop = asyncio.Event()
        self._digest = ""
        self._name = secrets.token_urlsafe(_NAME_BYTES)
        """By which the server knows that it comes back."""
        self._patience = asyncio.Timeout(None)
        """Runs while the server is out of reach."""
        self._reached = False
        self._missed = "no answer"
        """What was wrong the last time."""
        self._connected = asyncio.Event()
        self._news = asyncio.Event()
        self._phrases: dict[str, str] = {}
        """For the deals of requests that wait or are played, by their SHA-256."""
        self._shown: dict[str, ShownDeals] = {}
        """What was shown first where words of these were asked for, by their SHA-256."""
        self._seats: dict[str, SeatedRelay] = {}
        self._sitting: set[asyncio.Task[None]] = set()

    async def run(self, stop: asyncio.Event) -> int:
        """Play; return the exit code.

        Args:
            stop: asks for no more matches; those that are played are played to their end.

        Raises:
            RelayStopped: it had to end before.
        """
        self._stop = stop
        self._digest = await self._digest_now()
        try:
            return await self._run()
        except TimeoutError:
            what = "has gone" if self._reached else "is not to be reached"
            raise RelayStopped(SERVER_GONE, f"the server {what}: {self._missed}") from None

    async def _run(self) -> int:
        """Play; return the exit code.  Raises RelayStopped, TimeoutError: see `_miss`."""
        reasons: list[BaseException] = []
        try:
            async with (
                self._patience,
                ProcessLauncher() as launcher,
                asyncio.TaskGroup() as group,
            ):
                if compiles(self._bot):
                    await self._warm_up(launcher)
                self._run_out_later()
                heard = [
                    group.create_task(self._hear(launcher, group)),
                    group.create_task(self._wake()),
                ]
                await asyncio.wait(
                    [group.create_task(self._ask()) for _ in range(self._settings.jobs)]
                )
                while self._sitting:
                    await asyncio.wait(self._sitting)
                for task in (*heard, *self._sitting):
                    task.cancel()
        except* RelayStopped as stopped:
            reasons += stopped.exceptions
        if reasons:  # raised above, up to Python 3.11.3 it would be a group again
            raise reasons[0] from None
        return INTERRUPTED if self._stop.is_set() and self._code != UNPROVEN else self._code

    async def _warm_up(self, launcher: ProcessLauncher) -> None:
        """Start one of our own bots, so that all is compiled before a seat waits for it.

        Raises:
            RelayStopped: it does not start with these options.
        """
        folder = self._settings.folder
        output, errors = (OutputFile(folder / f"warm-up.{end}") for end in ("std", "err"))
        try:
            program = bot_program(
                self._bot,
                game=builtin_path(self._wish.game),
                seed=0,
                token="",
                mark=f"{launcher.token}.warm-up",
                limits=MatchLimits(),
                output=output,
                errors=errors,
            )
            child, line = await program.start_early(launcher, Path.cwd())
            ready = await line.until_ready(lambda: self._tell(compiling_text(self._bot.label)))
            line.close()
            await child.end(_EXIT_SECONDS)
            lines = output.tail() + errors.tail()
        except (OSError, GameDefError) as error:
            raise RelayStopped(FAILED, f"cannot start the bot: {error}") from error
        finally:
            for file in (output, errors):
                file.remove_if_empty()
        if not ready:
            reason = lines[-1] if lines else in_words(child.status)
            raise RelayStopped(WRONG_ARGUMENTS, f"the bot does not start: {reason}")

    async def _digest_now(self) -> str:
        version = program_version()
        return await asyncio.to_thread(program_digest, self._bot, str(Path.cwd()), version)

    # What the server tells.

    async def _hear(self, launcher: ProcessLauncher, group: asyncio.TaskGroup) -> None:
        """Hear of seats and news, again and again."""
        backoff, lost, reason = Backoff(), False, ""
        query = {"version": self._wish.version, "digest": self._digest, "relay": self._name}
        while True:
            try:
                stream = self._server.events("api", "bots", self._wish.bot, "seats", query=query)
                async with aclosing(stream):
                    async for event in stream:
                        self._reach()
                        backoff.reset()
                        if event is None:
                            self._tell("connected again" if lost else "connected")
                            lost = False
                        elif event.kind == "seat":
                            self._offered(event.data, launcher, group)
                        elif event.kind == "over":
                            self._ended(event.data)
                        self._connected.set()
                        self._poke()
            except ServerUnreachable as error:
                self._miss(error)
                if not lost or (error.lasting and reason != str(error)):
                    reason = str(error)
                    self._tell(f"no connection to the server: {reason}; trying again")
                lost = True
                self._connected.clear()
                await asyncio.sleep(backoff.next(error.retry_after))
            except ServerRefusal as refusal:
                raise RelayStopped(FAILED, f"the server refuses: {refusal}") from refusal

    def _offered(self, data: str, launcher: ProcessLauncher, group: asyncio.TaskGroup) -> None:
        """Take a seat, unless it is taken already."""
        try:
            offer = read_offer(_event_document(data))
        except OfferError as error:
            self._tell(str(error))
            return
        if offer.key not in self._seats:
            settings = self._settings
            seat = SeatedRelay(
                self._server,
                offer,
                self._bot,
                settings.folder,
                settings.patience,
                self._stop,
                self._phrase_for(offer.deals),
            )
            task = group.create_task(
                self._sit(seat, f"match {offer.match} leg {offer.leg}", launcher)
            )
            self._seats[offer.key] = seat
            self._sitting.add(task)
            task.add_done_callback(self._sitting.discard)

    def _phrase_for(self, shown: ShownDeals) -> str:
        """Return the words for the deals of a match, "" where none of them may be said."""
        for digest in shown.words_sha256:
            if digest not in self._phrases:
                continue
            if digest not in self._shown:
                self._shown[digest] = shown
                bound = f"is bound to a secret of SHA-256 {shown.commitment or '(none)'}"
                self._tell(f"match {shown.match}: the host {bound}")
            if self._shown[digest] == shown:
                return self._phrases[digest] if shown.commitment else ""
        return ""

    def _ended(self, data: str) -> None:
        """Let a seat end that nobody may take any more."""
        with contextlib.suppress(OfferError):
            if (seat := self._seats.get(str(_event_document(data).get("seat")))) is not None:
                seat.over.set()

    async def _sit(self, seat: SeatedRelay, name: str, launcher: ProcessLauncher) -> None:
        """Play a seat to its end.

        Raises:
            RelayStopped: bots have failed again and again, or end with this relay.
        """
        report = await seat.play(launcher, lambda line: self._tell(f"{name}: {line}"))
        self._poke()
        if report.end is SeatEnd.OVER:
            self._failures = 0
            return
        line = f"{name}: {report.end.value}: {report.reason}"
        if report.end is SeatEnd.LEFT:
            raise RelayStopped(INTERRUPTED, line)
        if report.reason:
            self._tell(line)
        if report.end is SeatEnd.VOID:
            return
        self._fail()
        self._failures += report.end is SeatEnd.FAILED
        if self._failures >= _MOST_FAILURES:
            reason = f"the bot failed {_MOST_FAILURES} times in a row; what it wrote is in"
            raise RelayStopped(FAILED, f"{reason} {self._settings.folder}")

    # What is asked for.

    async def _ask(self) -> None:
        """Have one match after the other; a refusal ends that, but no match that is played."""
        most = self._settings.matches
        while not (self._refused or self._stop.is_set()) and (most is None or self._begun < most):
            self._begun += 1
            try:
                await self._have_match()
            except (ServerRefusal, BotError) as refusal:
                self._tell(f"no more matches: {refusal}")
                self._fail()
                self._refused = True

    async def _have_match(self) -> None:
        """Ask for a match, and wait for its end.

        Raises:
            ServerRefusal: there is none to be had.
            BotError: the bot is another one by now.
            RelayStopped: the server has gone.
        """
        wish = self._wish
        while not (self._connected.is_set() or self._stop.is_set()):
            await self._pause(self._news)
        if not self._stop.is_set():
            if await self._digest_now() != self._digest:
                raise BotError("the bot's files have changed; start again, with another --version")
            digest = ""

            def wanted() -> dict[str, Any]:
                """Return what is asked for, each time with words of its own."""
                nonlocal digest
                phrase = fresh_phrase(wish.words)
                digest = phrase_digest(phrase)
                self._phrases[digest] = phrase
                return {
                    "bot": wish.bot,
                    "version": wish.version,
                    "digest": self._digest,
                    "opponent": wish.opponent,
                    "game": wish.game,
                    "hands": wish.hands,
                    "pairs": wish.pairs,
                    "rated": wish.rated,
                    "words_sha256": digest,
                }

            asked = await self._insist("asking for a match", "POST", "requests", wanted=wanted)
            request = str(asked.get("request"))
            self._tell(f"request {request}: asked for a match against {wish.against}")
            match = await self._matched(request)
            if match is not None:
                self._judge(match, digest, await self._played(match))
            del self._phrases[digest]

    def _judge(self, match: str, digest: str, document: Mapping[str, Any]) -> None:
        """Tell where the deals of a match that is over are not proven, and ask for no more then.

        Args:
            digest: SHA-256 of the relay's words for it.
        """
        shown = self._shown.pop(digest, None)
        proven, line = judge_deals(shown, self._phrases[digest], {**document, "match": match})
        if not proven:
            self._tell(f"match {match}: THE DEALS ARE NOT PROVEN: {line}")
            self._tell("no more matches: the host of this server may have chosen cards")
            self._code, self._refused = UNPROVEN, True
        elif line:
            self._tell(f"match {match}: {line}")

    def _fail(self) -> None:
        """Note that something went wrong, where nothing worse has."""
        self._code = self._code or FAILED

    async def _matched(self, request: str) -> str | None:
        """Wait until a request becomes a match; return its number, None where it does not."""
        reason = ""
        while True:
            news = self._news  # of before the question: what comes with the answer counts, too
            document = await self._look("requests", request)
            state = document.get("state")
            if state == "matched":
                return str(document.get("match"))
            if state != "waiting":
                self._tell(f"request {request}: {state}: {document.get('reason') or 'no reason'}")
                self._fail()
                return None
            if self._stop.is_set():
                with contextlib.suppress(ServerUnreachable, ServerRefusal):
                    await self._server.call("DELETE", "api", "requests", request)
                    self._tell(f"request {request}: withdrawn")
                    return None
            if reason != (reason := str(document.get("reason") or "")):
                self._tell(f"request {request}: waits: {reason}")
            await self._pause(news)

    async def _played(self, match: str) -> dict[str, Any]:
        """Wait for the end of a match, tell of it, and return what it has come to."""
        news = self._news
        document = await self._look("matches", match)
        if document.get("state") == "running":
            self._tell(f"match {match}: started against {opponent_of(document, self._wish)}")
            watch = str(document.get("watch"))
            if _WATCH_PATH.fullmatch(watch):
                self._tell(f"match {match}: watch it at {self._server.address.link}{watch}")
        while document.get("state") == "running":
            await self._pause(news)
            news = self._news
            document = await self._look("matches", match)
        self._tell(f"match {match}: {match_line(document, self._wish)}")
        if document.get("state") != "finished":
            ours = str(document.get("forfeited_by")).lower() == self._wish.bot.lower()
            if ours or document.get("state") == "void":
                self._fail()
        return document

    async def _look(self, *path: str) -> dict[str, Any]:
        return await self._insist(f"asking for {'/'.join(path)}", "GET", *path)

    async def _insist(
        self, what: str, method: str, *path: str, wanted: Callable[[], object] = lambda: None
    ) -> dict[str, Any]:
        """Return what a call is answered with, sooner or later.

        Args:
            wanted: returns what goes along, None for nothing.

        Raises:
            ServerRefusal: it is not answered.
            RelayStopped: the server has gone, or nothing is played and the relay is to end.
        """
        backoff, reason = Backoff(), ""
        while True:
            try:
                answer = await self._server.call(method, "api", *path, document=wanted())
            except ServerUnreachable as error:
                if error.answered and reason != (reason := str(error)):
                    self._tell(f"{what}: {error}; again in {error.retry_after:.0f} s or more")
                self._miss(error)
                await self._rest(backoff.next(error.retry_after))
            else:
                self._reach()
                return answer

    # Whether the server is there.

    def _reach(self) -> None:
        """Note that the server is there."""
        self._reached = True
        self._patience.reschedule(None)

    def _miss(self, error: ServerUnreachable) -> None:
        """Note that the server cannot be reached; the time for that begins, if it has not.

        Raises:
            RelayStopped: it was never reached, and will not be.
        """
        if error.answered:
            self._reach()
            return
        if error.lasting and not self._reached:
            raise RelayStopped(WRONG_ARGUMENTS, f"{self._server.address.url}: {error}")
        self._missed = str(error)
        if self._patience.when() is None:
            self._run_out_later()

    def _run_out_later(self) -> None:
        now = asyncio.get_running_loop().time()
        self._patience.reschedule(now + self._settings.patience)

    # Waiting.

    async def _rest(self, seconds: float) -> None:
        """Wait for so long.  Raises RelayStopped: nothing is played and the relay is to end."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stop.wait()
                while self._sitting:
                    await asyncio.wait(self._sitting)
            raise RelayStopped(INTERRUPTED, "stopped while the server could not be asked")

    def _poke(self) -> None:
        """Wake all who wait for news."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def _wake(self) -> None:
        await self._stop.wait()
        self._poke()

    async def _pause(self, news: asyncio.Event) -> None:
        """Wait until there is news, or for some time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                await news.wait()


def _event_document(data: str) -> dict[str, Any]:
    """Return the object of an event.  Raises OfferError: there is none."""
    try:
        document = json_document(data)
    except ValueError as error:
        raise OfferError(f"the server tells what cannot be read: {error}") from error
    if not isinstance(document, dict):
        raise OfferError("the server tells something else than an object")
    return document


def opponent_of(document: Mapping[str, Any], wish: MatchWish) -> str:
    """Return who plays against a bot in a match."""
    first, second = (_bot_of(document, side) for side in ("first", "second"))
    return second if first.lower() == wish.bot.lower() else first


def _bot_of(document: Mapping[str, Any], side: str) -> str:
    version = document.get(side)
    return str(version.get("bot")) if isinstance(version, dict) else "?"


def match_line(document: Mapping[str, Any], wish: MatchWish) -> str:
    """Return how a match ended, from a bot's view, in one line."""
    against = f"against {opponent_of(document, wish)}"
    if document.get("state") != "finished":
        culprit = document.get("forfeited_by")
        what = "not counted" if culprit is None else f"forfeited by {culprit}"
        return f"{against}: {what}: {document.get('detail') or 'no reason'}"
    hands = document.get("hands_played")
    best: Mapping[str, Any] = document.get("best") or {}
    try:
        rate, interval = float(best["mbb_per_hand"]), float(best["ci95_mbb_per_hand"])
        name = str(best["estimator"])
    except (KeyError, TypeError, ValueError):
        return f"{against}: finished after {hands} hands; {document.get('detail') or 'no estimate'}"
    if _bot_of(document, "first").lower() != wish.bot.lower():
        rate = 0.0 - rate
    return f"{against}: {rate:+.1f} ± {interval:.1f} mbb per hand over {hands} hands ({name})"
