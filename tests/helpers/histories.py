"""Hands in other formats, for tests."""

import io

from engine.histories.as_log import TextLines
from engine.histories.formats import format_named
from engine.histories.hand import HandHistory, LeftOut, ReadSettings


def hands_in(text, name, game=None):
    """The hands of a text in a format; a LeftOut for each that is none."""
    settings = ReadSettings(None if game is None else lambda header, record: game)
    source = io.BytesIO(text.encode("utf-8", "surrogateescape"))
    return list(format_named(name).reader(TextLines(source), settings))


def written(hands, name):
    """The text of hands in a format."""
    writer = format_named(name).writer()
    return "".join([*map(writer.add, hands), writer.end()])


def only_hand(text, name="phh", game=None):
    """The one hand of a text."""
    (hand,) = hands_in(text, name, game)
    assert isinstance(hand, HandHistory), hand
    return hand


def why_left_out(text, name="phh", game=None):
    """The reason why the one hand of a text is left out."""
    (hand,) = hands_in(text, name, game)
    assert isinstance(hand, LeftOut), hand
    return hand.reason
