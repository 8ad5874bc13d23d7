"""Obvious versions of engine.rules.dealing and keyed_dealing, one draw at a time."""

import hashlib


class MersenneTwister:
    """The 2002 reference generator, initialised from one 32-bit number."""

    def __init__(self, seed):
        self.words = [seed]
        for i in range(1, 624):
            before = self.words[-1]
            self.words.append((1812433253 * (before ^ before >> 30) + i) % 2**32)
        self.used = 624

    def draw(self):
        """Return the next tempered 32-bit output."""
        if self.used == 624:
            for i in range(624):
                joined = self.words[i] & 0x80000000 | self.words[(i + 1) % 624] & 0x7FFFFFFF
                twist = 0x9908B0DF if joined & 1 else 0
                self.words[i] = self.words[(i + 397) % 624] ^ joined >> 1 ^ twist
            self.used = 0
        word = self.words[self.used]
        self.used += 1
        word ^= word >> 11
        word ^= word << 7 & 0x9D2C5680
        word ^= word << 15 & 0xEFC60000
        return word ^ word >> 18


def deals(game, seed, hands):
    """Return (holes, board) of the first hands, as lists."""
    generator = MersenneTwister(seed)
    dealt = []
    for _ in range(hands):
        deck = [
            rank * 4 + suit
            for suit in range(4 - game.suits, 4)
            for rank in range(13 - game.ranks, 13)
        ]
        cards = []
        for _ in range(game.players * game.hole_cards + sum(game.board_cards)):
            index = generator.draw() % len(deck)
            cards.append(deck[index])
            deck[index] = deck[-1]
            deck.pop()
        holes = [
            cards[p * game.hole_cards : (p + 1) * game.hole_cards] for p in range(game.players)
        ]
        dealt.append((holes, cards[game.players * game.hole_cards :]))
    return dealt


def keyed_deals(game, key, hands):
    """Return (holes, board) of the first hands of a key, as lists of a game with one deck."""
    return [keyed_deal(game, key, hand) for hand in range(hands)]


def keyed_deal(game, key, hand):
    """Shuffle a whole deck by the digits of long numbers, and give its cards out."""
    deck = [
        rank * 4 + suit for suit in range(4 - game.suits, 4) for rank in range(13 - game.ranks, 13)
    ]
    wanted = game.players * game.hole_cards + sum(game.board_cards)
    cards, block = [], 0
    while True:
        text = key.hex() + f"{hand:016x}{block:08x}"
        digits = hashlib.sha512(bytes.fromhex(text)).hexdigest()
        for at in range(0, 128, 8):
            number = int(digits[at : at + 8], 16)
            if len(cards) == wanted:
                each = game.hole_cards
                dealt = [cards[p * each : (p + 1) * each] for p in range(game.players)]
                return dealt, cards[game.players * each :]
            turns, index = divmod(number, len(deck))
            if (turns + 1) * len(deck) <= 2**32:
                cards.append(deck[index])
                *deck, last = deck
                if index < len(deck):
                    deck[index] = last
        block += 1
