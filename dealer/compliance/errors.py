"""What a bot can do that leaves a check without its answer.

BotTrouble
    NoAnswer      it says nothing for longer than it may
    BotGone       its connection is closed, or its process has ended
    BotRefused    a shipped bot does not play the game, or does not accept its options

None of them is a mistake of ours: each becomes the result of a check.
"""


class BotTrouble(Exception):
    """The bot did not do what a check waited for; the message is one line for its author."""


class NoAnswer(BotTrouble):
    """It says nothing for longer than it may."""


class BotGone(BotTrouble):
    """Its connection is closed, or its process has ended."""


class BotRefused(BotTrouble):
    """A shipped bot does not play the game, or does not accept its options."""
