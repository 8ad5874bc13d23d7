"""Bots, each run as its own process.  The names below are all that a bot of your own needs."""

from agents.bot import Bot
from agents.bot_command import run
from engine.rules.view import PlayerView
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to

__all__ = ["CALL", "FOLD", "RAISE", "Action", "Bot", "PlayerView", "raise_to", "run"]
