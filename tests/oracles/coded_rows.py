"""Coded rows read the plain way: whole numbers, a dictionary of contexts with names, no kernels."""


class PlainBits:
    """Reads bits, each by what its context has seen so far."""

    def __init__(self, stream):
        self.rest = list(stream)
        self.code = 0
        for _ in range(4):
            self.code = 256 * self.code + self.byte()
        self.width = 2**32 - 1
        self.seen = {}
        """Context -> chance of a one, of 65536, and how often it was met."""

    def byte(self):
        return self.rest.pop(0) if self.rest else 0

    def bit(self, *context):
        chance, met = self.seen.get(context, (32768, 0))
        part = self.width // 4096 * (chance // 16)
        rate = 655360 // (10 * min(met, 40) + 16)
        bit = self.code < part
        if bit:
            self.width = part
            chance += (65536 - chance) * rate // 65536
        else:
            self.code -= part
            self.width -= part
            chance -= chance * rate // 65536
        self.seen[context] = chance, met + 1
        while self.width < 2**24:
            self.width *= 256
            self.code = 256 * self.code + self.byte()
        return bit

    def digits(self, count, *context):
        """Return a number of so many binary digits; those before are part of the context."""
        number = ""
        for _ in range(count):
            number += "01"[self.bit(*context, number)]
        return int(number, 2)


def kind(share, whole):
    return "none" if share == 0 else "all" if share == whole else "some"


def read_rows(stream, count, actions, whole):
    """Return (count, actions) shares of a whole, as lists."""
    bits, rows = PlainBits(stream), []
    last = before = [0] * actions
    digits_before = 0
    while len(rows) < count:
        row, left = [], whole
        for action in range(actions - 1):
            share = 0
            kinds = kind(last[action], whole), kind(before[action], whole)
            if left and not bits.bit("none", action, kinds):
                share = left
                if left > 1 and not bits.bit("all", action, kinds):
                    share = min(bits.digits(5, "share", action), left)
            row.append(share)
            left -= share
        row.append(left)
        last, before = row, last
        digits = 0
        while bits.bit("longer", min(digits_before, 7), digits) and digits < 15:
            digits += 1
        length = 1
        for place in reversed(range(digits)):
            length = 2 * length + bits.bit("length", digits, place)
        digits_before = digits
        rows += [row] * min(length, count - len(rows))
    return rows
