"""A strategy that is told without a program."""


class FakeTeller:
    """Notes what it is asked, in place of `dealer.web.strategy_teller.StrategyTeller`."""

    name = "bob"

    def __init__(self):
        self.asked = []
        self.closed = False

    async def tell(self, _, line, _gone=None):
        """Return the same answer to each line."""
        self.asked.append(line)
        return b"told"

    async def close(self):
        """Note the end."""
        self.closed = True
