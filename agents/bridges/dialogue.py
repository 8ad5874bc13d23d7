"""Which answer of a program belongs to which question, without streams or clocks.

An answer that names the `id` of a decision belongs to that decision, and acts in no other.
Answers that name none belong to the questions in their order, one to each; lines that name
no action are passed over.
A question is asked again after an answer that is wrong, and after lines without an answer
once the program is quiet.  As many answers are then due as questions were asked: those that
are still owed after the decision are waited for, until the program is quiet, and dropped.
"""

from __future__ import annotations

import re
from typing import Final

from protocol.decision_json import NamedAction, read_answers

QUIET_SECONDS: Final = 4.0
"""After so long without a byte a program has said what it had to say."""
REMARK: Final = "ignored: names no action"
ANOTHER: Final = "ignored: another decision"
UNASKED: Final = "ignored: nobody asked"
_MOST_UNFINISHED_BYTES: Final = 1 << 16
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_SLOWEST_ANSWER_FACTOR: Final = 3
"""A program is quiet after so many times what its slowest answer took, where that is longer."""
_IMPATIENCE_FACTOR: Final = 4
"""After each decision without anything that may answer us, so many times less is waited."""


class Dialogue:
    """The questions of a match and what was answered."""

    def __init__(self) -> None:
        """Nothing has been asked."""
        self.decision = 0
        """The `id` of the decision at hand."""
        self.owed = 0
        """Answers that may still come to questions of earlier decisions."""
        self.patience = QUIET_SECONDS
        """Seconds without a byte after which the program counts as quiet."""
        self.passed_over: list[tuple[str, bytes]] = []
        """What was not taken: one of the reasons above, and the words.  For the caller to clear."""
        self._remarks: list[tuple[str, bytes]] = []
        """What was passed over since the last question, as long as it is open."""
        self._open = False
        self._named = True
        """Whether anything came since the last decision began that may be an answer to us."""
        self._due = 0
        self._unfinished = b""

    def begin(self) -> None:
        """Turn to the next decision."""
        self._open = False
        if not self._named:
            self.patience /= _IMPATIENCE_FACTOR
        self._named = False
        self._end_object()
        self.owed += self._due
        self._due = 0
        self.decision += 1

    def ask(self) -> None:
        """Note that the decision at hand is asked for, the first time or again."""
        self._end_object()
        self._due += 1
        self._open = True
        self._remarks = []

    def answered(self, seconds: float) -> None:
        """Note how long an answer took."""
        self.patience = max(self.patience, _SLOWEST_ANSWER_FACTOR * seconds)

    def unanswered(self) -> NamedAction:
        """Return what the program, which is quiet now, has written in place of an answer."""
        self.quiet()
        self._end_object()
        for reason, text in self._remarks:
            if reason == ANOTHER:
                return NamedAction(text, "", fault=self._other_id())
        more = len(self._remarks) - 1
        fault = f"no action in this and {more:,} more lines" if more > 0 else "no action"
        return NamedAction(self._remarks[0][1] if self._remarks else b"", "", fault=fault)

    def quiet(self) -> None:
        """Note that the program is quiet: what is owed will not come, if it had its time."""
        if self.patience >= QUIET_SECONDS:
            self.owed = 0

    def hear(self, text: bytes) -> NamedAction | None:
        """Return the answer to the decision at hand, None where there is none in these lines.

        Of several that differ none is meant more than the others: then it has a fault.
        """
        if not text:
            return None
        reading = read_answers(self._unfinished + text)
        self._unfinished = reading.rest
        if len(self._unfinished) > _MOST_UNFINISHED_BYTES:
            self._end_object()
        for line in reading.remarks:
            self._pass_over(REMARK, line)
        named = any(answer.decision == str(self.decision) for answer in reading.answers)
        placed = [self._placed(answer, named) for answer in reading.answers]
        answers = [answer for answer in placed if answer is not None]
        due, self._due = self._due, max(self._due - len(answers), 0)
        if named:
            self._due = 0  # later ones will name their decision, too
        if due and answers:
            self._open = False
            self.passed_over += self._remarks
        if len(answers) > due > 0 and len({answer[1:3] for answer in answers}) > 1:
            both = b" and ".join(answer.text for answer in answers[:2])
            return NamedAction(both, "", fault="answers that differ")
        if surplus := answers[due:]:
            more = b" and %d more" % (len(surplus) - 1) if len(surplus) > 1 else b""
            self._pass_over(UNASKED, surplus[0].text + more)
        return answers[0] if due and answers else None

    def _placed(self, answer: NamedAction, named: bool) -> NamedAction | None:
        """Return an answer to the decision at hand; pass it over where it is to another one.

        Who names an `id` that no question had has answered all the same, and wrongly, unless the
        right one is `named` beside it.
        """
        is_asked = answer.decision == str(self.decision) or (
            answer.decision is None and not self.owed
        )
        missed = not (is_asked or named or self.owed or self._is_past(answer)) and self._open
        if is_asked or missed or (self.owed and answer.decision is None):
            self._named = True
            self.patience = max(self.patience, QUIET_SECONDS)
        if is_asked:
            self.owed = 0
            return answer
        if missed:
            return answer._replace(fault=self._other_id())
        if self._open or not self.owed:
            self._pass_over(ANOTHER, answer.text)
        self.owed = max(self.owed - 1, 0)
        return None

    def _is_past(self, answer: NamedAction) -> bool:
        """Return whether an answer names an earlier decision."""
        named = answer.decision or ""
        return _NUMBER.fullmatch(named) is not None and 0 < int(named) < self.decision

    def _other_id(self) -> str:
        return f"the id of the question is {self.decision}"

    def _end_object(self) -> None:
        if self._unfinished:
            self._pass_over(REMARK, self._unfinished)
            self._unfinished = b""

    def _pass_over(self, reason: str, text: bytes) -> None:
        # While a question is open it may be all that the program answers.
        (self._remarks if self._open else self.passed_over).append((reason, text))
