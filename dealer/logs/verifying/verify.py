"""Checking a match log line by line: parsed, legal, paid out right, dealt right, summed up.

Deals are those of the header's seed, of a deals file, or of a secret that stands behind the hands.

A header begins a match; an equal header with hands that go on resumes it after an interruption.
Hands before any header are a match too.  The checks themselves are those of
`engine.handlogs.verifying.match_check`; this module knows files, headers and games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from dealer.logs.answer_lines import transactions_of
from dealer.logs.progress import ReadProgress
from dealer.logs.verifying import seeds
from dealer.logs.verifying.findings import MAX_MATCHES_REPORTED, Finding, LogReport, Part
from dealer.logs.verifying.transactions import compare_with_transactions
from engine.console.output import tell_once
from engine.deals.deal_window import DealWindow
from engine.errors import LogError, UnusableDeals
from engine.handlogs.source.log_games import FoundGame, find_log_game
from engine.handlogs.source.logged_deals import find_deals, proofs_in
from engine.handlogs.source.opening import (
    TextBlock,
    is_regular,
    log_blocks,
    unscanned_lines,
)
from engine.handlogs.verifying.diagnosis import MOST_SAMPLED_HANDS, Evidence, WrongHand, diagnose
from engine.handlogs.verifying.match_check import MatchCheck
from engine.rules.dealing import MAX_SEED
from engine.showdown import hand_check as kinds
from engine.showdown.hand_check import KIND_NAMES
from protocol.deals import (
    DealsCommitment,
    DealsNote,
    DealsOrigin,
    DealsProof,
    SeedProof,
    parse_deals_note,
    parse_proof,
)
from protocol.errors import MalformedLogLine
from protocol.handlog import (
    Blank,
    Comment,
    HandRecord,
    Header,
    Score,
    TimeLimit,
    parse_log_line,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

COMPILED_FROM_BYTES: Final = 2 << 20
"""Loading the compiled checks takes 0.4 s, the first time 6 s."""
MAX_REMARKS: Final = 20


@dataclass(frozen=True, slots=True)
class VerifySettings:
    """What the user may choose."""

    game: FoundGame | None = None
    """The game, where the user names it."""
    seed: int | None = None
    """The seed of all hands, where the user gives it."""
    siblings: tuple[Path, ...] = ()
    """Other logs of the same call, one of which a log may continue."""
    max_faults: int = 20
    """Faults kept per log; all are counted."""
    stop_after: int | None = None
    """Faults after which the rest of a log is not read."""
    compiled: bool = False
    """Whether to use the compiled checks; the findings are the same."""


def verify_log(
    path: Path, settings: VerifySettings, progress: ReadProgress | None = None
) -> LogReport:
    """Check one log.

    Raises:
        LogError: the file cannot be read, or its game is unknown.
    """
    checker = _LogChecker(path, settings)
    try:
        for block in log_blocks(path, warn=tell_once):
            checker.read(block)
            if progress is not None:
                progress(block.read, checker.hands)
        checker.check_transactions()
    except _Enough:
        pass
    except UnusableDeals as error:
        raise LogError(f"{path}: {error}") from error
    return checker.finish()


class _Enough(Exception):
    """As many faults as the caller wanted have been found."""


class _LogChecker:
    """One pass over one log."""

    def __init__(self, path: Path, settings: VerifySettings) -> None:
        self._path = path
        self._settings = settings
        self._report = LogReport(str(path))
        self._header: Header | None = None
        self._note: DealsOrigin | None = None
        self._proofs: Mapping[str, DealsProof] | None = None  # of the whole log, once looked for
        self._check: MatchCheck | None = None
        self._part: Part | None = None
        self._again: int | None = None  # line of a repeated header, until the next hand
        self._begun = False  # whether anything followed that no header has
        self._lost_hands = 0
        self._wrong: list[WrongHand] = []  # the first of the match

    @property
    def hands(self) -> int:
        """Hands met so far."""
        return self._report.hands + (self._check.hands if self._check else 0)

    def read(self, block: TextBlock) -> None:
        """Check the lines of one block."""
        last = block.line + block.data.count(b"\n") - 1
        for line, text in unscanned_lines(block, self._scan):
            if block.cut_off and line == last:
                self._read_cut_off(line, text)
            else:
                self._read_line(line, text, self._note_fault)
        self._report.lines = last

    def _scan(self, text: NDArray[np.uint8], at: int, line: int) -> tuple[int, int]:
        """Check the lines of a block that compiled code can."""
        if self._check is None or not self._settings.compiled:
            return at, line
        enough_faults = len(self._report.faults) >= self._settings.max_faults
        counting = enough_faults and len(self._wrong) == MOST_SAMPLED_HANDS
        counted = self._check.faults_counted
        at, walked = self._check.scan(text, at, counting=counting)
        self._report.fault_count += self._check.faults_counted - counted
        return at, line + walked

    def finish(self) -> LogReport:
        """Return the report after the last block."""
        self._close_part()
        if self._report.stopped_at is not None:
            return self._report
        waiting = self._header is not None and not self._begun
        if not (self._report.hands or self._lost_hands or waiting):
            self._note_fault(0, "no hand in this file")
        return self._report

    def check_transactions(self) -> None:
        """Compare the log with the transaction file beside it, where there is one."""
        path = transactions_of(self._path)
        if path is None or self._check is None or self._part is None or self._header is None:
            return
        if self._report.part_count or self._check.restarts:
            self._remark(0, f"{path.name} not used: the log holds more than one match")
            return
        report = compare_with_transactions(self._path, path, self._check.game)
        self._part.transactions = report.hands
        if report.note:
            self._remark(0, f"{path.name} {report.note}")
        for fault in report.faults:
            self._note_fault(fault.line, fault.text)
        self._report.fault_count += report.fault_count - len(report.faults)

    def _read_cut_off(self, line: int, text: str) -> None:
        """Check a last line without line end; a fault in it is the interruption's."""
        reasons: list[str] = []
        self._read_line(line, text, lambda _, reason: reasons.append(reason))
        if reasons:
            self._note_fault(line, f"the log ends in the middle of a line ({reasons[0]})")

    def _read_line(self, line: int, text: str, fault: Callable[[int, str], None]) -> None:
        try:
            record = parse_log_line(text)
        except MalformedLogLine as error:
            fault(line, str(error))
            self._begun = True
            if text.startswith("STATE:"):
                self._lost_hands += 1
                if self._check is not None:
                    self._check.add_lost_line()
            return
        self._begun |= not isinstance(record, Header | TimeLimit | Comment | Blank)
        if isinstance(record, HandRecord):
            self._explain_header(record.hand_id)
            self._read_hand(line, record, fault)
        elif isinstance(record, Header):
            self._read_header(line, record)
        elif isinstance(record, Score):
            self._read_score(line, record, fault)
        elif isinstance(record, Comment) and (proof := parse_proof(record.text)) is not None:
            self._read_proof(line, proof, fault)
        elif isinstance(record, Comment) and self._check is None:
            self._note = parse_deals_note(record.text) or self._note

    def _read_proof(
        self, line: int, proof: DealsProof | SeedProof, fault: Callable[[int, str], None]
    ) -> None:
        sha256, number = proof.commitment, None if self._header is None else self._header.seed
        if isinstance(proof, SeedProof):
            if number != proof.seed:
                seed = f"the seed {proof.seed}, which is not the header's"
                fault(line, f"secret and words give {seed}")
            else:
                self._remark(line, f"the seed follows from a secret of SHA-256 {sha256}")
        elif self._note != DealsCommitment(sha256) or number != proof.number:
            fault(line, f"the secret's SHA-256 is {sha256}, which is not the header's")
        elif (first := self._find_proof(self._note)) is None:
            self._remark(line, f"the deals were not compared with the secret of SHA-256 {sha256}")
        elif first != proof:
            fault(line, "other words than in an earlier line with this secret")
        else:
            self._remark(line, f"the deals follow from a secret of SHA-256 {sha256}")

    def _read_hand(self, line: int, record: HandRecord, fault: Callable[[int, str], None]) -> None:
        check = self._open_check(line, record)
        wrong_before = check.wrong.copy()
        reasons = check.add_hand(record)
        if reasons and len(self._wrong) < MOST_SAMPLED_HANDS:
            wrong = frozenset(np.flatnonzero(check.wrong - wrong_before).tolist())
            names = check.expected_names(record.hand_id) if kinds.NAMES in wrong else ()
            self._wrong.append(WrongHand(line, check.hands - 1, record, wrong, names))
        for reason in reasons:
            fault(line, reason)

    def _read_header(self, line: int, header: Header) -> None:
        latest = self._header
        if (
            latest is not None
            and self._check is not None
            and (latest.name, latest.game, latest.seed) == (header.name, header.game, header.seed)
        ):
            self._check.resume()
            if header.hands is not None:
                self._check.limit = max(self._check.limit, header.hands)
                if self._part is not None:
                    self._part.promised = max(self._part.promised or 0, header.hands)
            self._again = line
        else:
            self._close_part()
            self._note = None
        self._header = header

    def _explain_header(self, hand_id: int) -> None:
        """Remark what a repeated header meant, now that the next hand is known."""
        if self._again is None:
            return
        how = "begins anew" if hand_id == 0 else f"was resumed with hand {hand_id}"
        self._remark(self._again, f"the match {how}")
        self._again = None

    def _read_score(self, line: int, score: Score, fault: Callable[[int, str], None]) -> None:
        check = self._open_check(line)
        faults, unchecked = check.add_score(score)
        for reason in faults:
            fault(line, reason)
        assert self._part is not None
        if self._part.score != "wrong":
            self._part.score = "wrong" if faults else unchecked or "right"

    def _open_check(self, line: int, record: HandRecord | None = None) -> MatchCheck:
        """Return the check of the match that a line belongs to; begin it where there is none."""
        if self._check is not None:
            return self._check
        settings = self._settings
        header = self._header
        found_game = settings.game or find_log_game(header, self._path, record)
        seed, origin = self._find_seed(found_game, line)
        given = proof = None
        note = self._note
        if isinstance(note, DealsCommitment) and settings.seed is None:
            proof, seed = self._find_proof(note), None
            origin = "secret" if proof else self._why_no_proof(note)
        elif isinstance(note, DealsNote) and seed is not None:
            given, origin = self._find_given(note, line, origin)
            seed = seed if given is not None else None
        source = seed if proof is None else proof.key
        deals = None
        if source is not None:
            deals = DealWindow(
                found_game.game,
                source,
                compiled=settings.compiled,
                given=given,
                first_given=note.first if isinstance(note, DealsNote) else 0,
            )
        self._check = MatchCheck(
            found_game.game,
            strict=source is not None or (header is not None and header.seed is not None),
            deals=deals,
        )
        if header is not None and header.hands is not None:
            self._check.limit = header.hands
        self._part = Part(
            line=line,
            name=header.name if header else "",
            game=found_game.label,
            seed=seed,
            seed_origin=origin,
            deals_file="" if given is None else given.name,
            commitment="" if proof is None else proof.commitment,
            promised=header.hands if header else None,
        )
        return self._check

    def _find_seed(self, found_game: FoundGame, line: int) -> tuple[int | None, str]:
        if self._settings.seed is not None:
            return self._settings.seed, "given"
        if self._header is not None:
            if self._header.seed is None:
                return None, "dealt elsewhere"
            if self._header.seed > MAX_SEED:
                self._note_fault(line, f"no seed can be {self._header.seed}")
                return None, "its seed is out of range"
            return self._header.seed, "header"
        possible = seeds.candidate_seeds(self._path, self._settings.siblings)
        if possible and is_regular(self._path):
            seed = seeds.proven(found_game.game, possible, seeds.first_records(self._path))
            if seed is not None:
                return seed.number, seed.origin
        return None, "no header, so no seed"

    def _find_given(self, note: DealsNote, line: int, origin: str) -> tuple[Path | None, str]:
        """Return the deals file of the match, or none and why its deals cannot be checked."""
        deals_file = find_deals(note, self._path)
        if deals_file is None:
            return None, f"{note.file}, which gave them, is not there"
        if not deals_file.same:
            self._note_fault(line, f"{deals_file.path} is not the deals file that was played")
            return None, f"{deals_file.path.name} has changed"
        return deals_file.path, origin

    def _find_proof(self, note: DealsCommitment) -> DealsProof | None:
        """Return the secret of the match, which stands behind its hands; None where it does not."""
        if self._proofs is None:
            self._proofs = proofs_in(self._path)
        return self._proofs.get(note.sha256)

    def _why_no_proof(self, note: DealsCommitment) -> str:
        if not is_regular(self._path):
            return "their secret stands behind them, and only a file is read twice"
        return f"no secret of SHA-256 {note.sha256} in this log"

    def _close_part(self) -> None:
        """Book what the match that ends here has come to."""
        report = self._report
        check, part = self._check, self._part
        self._check = self._part = None
        if check is None or part is None:
            return
        if self._wrong:
            seed = None if part.deals_file else part.seed
            evidence = Evidence(check.game, seed, check.hands, check.wrong.tolist(), self._wrong)
            part.diagnosis = diagnose(evidence)
            self._wrong = []
        part.hands = check.hands
        part.deals_checked = check.deals_checked
        part.restarts = check.restarts
        part.wrong = {
            name: count
            for name, count in zip(KIND_NAMES, check.wrong.tolist(), strict=True)
            if count
        }
        seeded = self._header is not None and self._header.seed is not None
        part.missing = check.missing if seeded else 0
        report.hands += check.hands
        report.deals_checked += check.deals_checked
        report.part_count += 1
        if len(report.parts) < MAX_MATCHES_REPORTED:
            report.parts.append(part)

    def _note_fault(self, line: int, reason: str) -> None:
        self._report.fault_count += 1
        faults = self._report.faults
        if not line:  # says more than any other
            faults.insert(0, Finding(line, reason))
            del faults[self._settings.max_faults :]
            return
        if len(faults) < self._settings.max_faults:
            faults.append(Finding(line, reason))
        if self._report.fault_count == self._settings.stop_after:
            self._report.stopped_at = self._report.lines = line
            raise _Enough

    def _remark(self, line: int, text: str) -> None:
        if len(self._report.remarks) < MAX_REMARKS:
            self._report.remarks.append(Finding(line, text))


def use_compiled(paths: Sequence[Path]) -> bool:
    """Return whether logs are long enough for the compiled checks to pay."""
    total = 0
    for path in paths:
        try:
            total += path.stat().st_size
        except OSError:
            continue
    return total >= COMPILED_FROM_BYTES
