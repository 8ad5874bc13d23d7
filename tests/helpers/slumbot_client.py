"""A small client of Slumbot's, written from what is known of its protocol, that believes nothing.

It reads each action string by itself, works out chips, turns and what a raise may be, and compares
that with what the server says.
"""

import json
import re

import numpy as np

BLINDS, STACK = (100, 50), 20_000


class Betting:
    """What an action string says."""

    def __init__(self, text):
        """Read it; an action that is not legal fails the test."""
        self.spent = list(BLINDS)
        """By position, over the whole hand."""
        self.street, self.actor, self.over, self.folded = 0, 1, False, None
        self.raised_by, self.base, self._acted = 100, 0, 0
        parts = text.split("/")
        for number, part in enumerate(parts):
            assert number == 0 or number == self.street or self._all_in(), text
            assert re.fullmatch(r"(?:[kcf]|b[1-9][0-9]*)*", part), text
            for action in re.findall(r"[kcf]|b[0-9]+", part):
                assert not self.over, text
                self._act(action, text)
        assert self.over or len(parts) - 1 == self.street, text
        if self._all_in() and self.over and self.folded is None:
            assert len(parts) == 4, text

    def _all_in(self):
        return min(self.spent) == STACK

    @property
    def to_call(self):
        """Chips."""
        return max(self.spent) - self.spent[self.actor]

    @property
    def raises(self):
        """Smallest and largest legal number of "b"; None: no raise is legal."""
        if max(self.spent) == STACK:
            return None
        smallest = min(max(self.spent) + max(self.raised_by, 100), STACK)
        return smallest - self.base, STACK - self.base

    def _act(self, action, text):
        self._acted += 1
        actor = self.actor
        if action == "f":
            assert self.to_call, text
            self.over, self.folded = True, actor
            return
        if action[0] == "b":
            smallest, largest = self.raises
            assert smallest <= int(action[1:]) <= largest, text
            total = self.base + int(action[1:])
            self.raised_by = max(total - max(self.spent), self.raised_by)
            self.spent[actor] = total
        else:
            assert (action == "c") == bool(self.to_call), text
            self.spent[actor] = max(self.spent)
        self.actor = 1 - actor
        if action[0] != "b" and self._acted > 1:
            self._end_street()

    def _end_street(self):
        if self._all_in() or self.street == 3:
            self.over = True
        else:
            self.street, self.actor, self._acted = self.street + 1, 0, 0
            self.raised_by, self.base = 0, max(self.spent)


class SlumbotClient:
    """One session."""

    def __init__(self, connection, prefix="api"):
        """Take a connection of `http.client` to the server."""
        self._connection = connection
        self._prefix = prefix
        self.token = None
        self.hands = []
        """Last answer of each hand that is over."""

    def post(self, name, **body):
        """The document that a request gets."""
        fields = {"Content-Type": "application/json"}
        self._connection.request("POST", f"/{self._prefix}/{name}", json.dumps(body), fields)
        with self._connection.getresponse() as answer:
            assert answer.status == 200, answer.read()
            return json.load(answer)

    def login(self, username, password):
        """Log in."""
        self.token = self.post("login", username=username, password=password)["token"]

    def play(self, hands, policy):
        """Play so many hands; `policy` returns the action for an answer and its `Betting`."""
        for _ in range(hands):
            state = self.post("new_hand", **({"token": self.token} if self.token else {}))
            assert state["old_action"] == ""
            while "winnings" not in state:
                self.token = state.get("token", self.token)
                betting = self.read(state)
                increment = policy(state, betting)
                earlier = state["action"]
                state = self.post("act", token=self.token, incr=increment)
                assert "error_msg" not in state, (state, earlier, increment)
                assert state["old_action"] == earlier
                assert state["action"].startswith(earlier + increment)
                added = state["action"][len(earlier + increment) :]
                assert re.fullmatch(r"/*(?:[kcf]|b[0-9]+)?/*(?:[kcf]|b[0-9]+)?/*", added), state
            self.token = state.get("token", self.token)
            self.end(state)

    def read(self, state):
        """The betting of a hand in which this client is to act."""
        betting = Betting(state["action"])
        assert not betting.over, state
        assert betting.actor == state["client_pos"], state
        assert len(state["board"]) == (0, 3, 4, 5)[betting.street], state
        assert "bot_hole_cards" not in state, state
        return betting

    def end(self, state):
        """Compare what the server says of a hand that is over."""
        betting, mine = Betting(state["action"]), state["client_pos"]
        assert betting.over, state
        assert len(state["hole_cards"]) == len(state["bot_hole_cards"]) == 2
        cards = state["hole_cards"] + state["bot_hole_cards"] + state["board"]
        assert len(set(cards)) == len(cards), state
        winnings = state["winnings"]
        if betting.folded is None:
            assert len(state["board"]) == 5
            assert abs(winnings) in (0, betting.spent[mine]), state
        else:
            wanted = betting.spent[1 - mine] if betting.folded != mine else -betting.spent[mine]
            assert winnings == wanted, state
        pot = sum(betting.spent)
        assert state["won_pot"] == (pot if winnings > 0 else -pot if winnings < 0 else 0), state
        self.hands.append(state)
        assert state["session_total"] == sum(hand["winnings"] for hand in self.hands), state
        baseline = sum(hand["baseline_winnings"] for hand in self.hands)
        assert state["session_baseline_total"] == baseline, state
        assert state["session_num_hands"] == len(self.hands), state


def calls(_state, betting):
    """Check or call."""
    return "c" if betting.to_call else "k"


def anything(seed):
    """A policy that does everything that is legal: the smallest bet, nearly all, all, any."""
    draw = np.random.default_rng(seed)

    def policy(_state, betting):
        words = ["c", "c", "f"] if betting.to_call else ["k", "k"]
        if betting.raises is not None:
            smallest, largest = betting.raises
            nearly = max(smallest, largest - draw.choice([1, 50, 150]))
            sizes = [smallest, smallest, largest, nearly, draw.integers(smallest, largest + 1)]
            words += [f"b{draw.choice(sizes)}", f"b{smallest}"]
        return str(draw.choice(words))

    return policy
