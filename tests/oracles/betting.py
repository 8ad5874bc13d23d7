"""Obvious version of the betting rules: everything is recounted from the list of all actions.

Written from the description of the reference dealer, not from engine.rules.state: contributions,
the bet to match, who is still to act are derived anew, action by action, for every question.
"""

from dataclasses import dataclass, field


class Illegal(Exception):
    """The rules refuse the action."""


@dataclass
class Hand:
    """One hand: the streets so far, each a list of (position, letter, raise_to)."""

    game: object
    streets: list = field(default_factory=lambda: [[]])

    def chips(self):
        """Replay: contributions, bet to match, smallest raise-to, folded positions."""
        game = self.game
        spent = list(game.blinds)
        bet = max(game.blinds)
        smallest = 2 * bet if bet else 1
        folded = set()
        for number, street in enumerate(self.streets):
            if number and (street or number == len(self.streets) - 1) and not self.skipped(number):
                smallest = bet + max(1, max(game.blinds))
            for position, letter, size in street:
                if letter == "f":
                    folded.add(position)
                elif letter == "c":
                    spent[position] = min(bet, game.stacks[position])
                else:
                    if game.no_limit:
                        smallest = max(smallest, 2 * size - bet)
                    spent[position] = bet = size
        return spent, bet, smallest, folded

    def skipped(self, number):
        """Whether street `number` was only run through because betting was over."""
        return self.over() and not self.streets[number]

    def able(self):
        """Positions that can still act."""
        spent = list(self.game.blinds)
        bet = max(spent)
        folded = set()
        for street in self.streets:
            for position, letter, size in street:
                if letter == "f":
                    folded.add(position)
                elif letter == "c":
                    spent[position] = min(bet, self.game.stacks[position])
                else:
                    spent[position] = bet = size
        return [
            p
            for p in range(self.game.players)
            if p not in folded and spent[p] < self.game.stacks[p]
        ]

    def staying(self):
        """Positions that have not folded."""
        gone = {p for street in self.streets for p, letter, _ in street if letter == "f"}
        return [p for p in range(self.game.players) if p not in gone]

    def settled(self):
        """Able positions that called since the last raise of the street, or made it."""
        able = set(self.able())
        street = self.streets[-1]
        last_raise = max((i for i, action in enumerate(street) if action[1] == "r"), default=0)
        return {p for p, letter, _ in street[last_raise:] if letter != "f" and p in able}

    def street_done(self):
        """Whether nobody has to act any more on this street."""
        return len(self.settled()) >= len(self.able())

    def over(self):
        """Whether the hand is over."""
        if len(self.staying()) == 1:
            return True
        last = len(self.streets) == self.game.streets
        return self.street_done() and (last or len(self.able()) < 2)

    def actor(self):
        """Who acts, -1 when nobody does."""
        if self.over():
            return -1
        street = self.streets[-1]
        seat = street[-1][0] + 1 if street else self.game.first_positions[len(self.streets) - 1]
        while seat % self.game.players not in self.able():
            seat += 1
        return seat % self.game.players

    def raise_range(self):
        """Smallest and largest raise-to, or None."""
        actor = self.actor()
        if actor < 0:
            return None
        number = len(self.streets) - 1
        street = self.streets[-1]
        _, bet, smallest, _ = self.chips()
        stack = self.game.stacks[actor]
        raises = sum(letter == "r" for _, letter, _ in street)
        if (
            raises >= self.game.max_raises[number]
            or len(street) + self.game.players > 64
            or len(self.able()) < 2
            or stack <= bet
        ):
            return None
        if not self.game.no_limit:
            total = min(bet + self.game.raise_sizes[number], stack)
            return total, total
        return (smallest, stack) if smallest <= stack else (stack, stack)

    def act(self, letter, size=0):
        """Take an action of the actor, or raise Illegal."""
        actor = self.actor()
        spent, bet, _, _ = self.chips()
        if actor < 0:
            raise Illegal
        if letter == "f" and spent[actor] in (bet, self.game.stacks[actor]):
            raise Illegal
        if letter == "r":
            legal = self.raise_range()
            if legal is None:
                raise Illegal
            if not self.game.no_limit:
                size = legal[0]
            if not legal[0] <= size <= legal[1]:
                raise Illegal
        self.streets[-1].append((actor, letter, size))
        if self.street_done() and not self.over():
            self.streets.append([])

    def betting(self):
        """The wire text."""
        text = "/".join(
            "".join(
                letter + (str(size) if letter == "r" and self.game.no_limit else "")
                for _, letter, size in street
            )
            for street in self.streets
        )
        if self.over() and len(self.staying()) > 1:
            text += "/" * (self.game.streets - len(self.streets))
        return text
