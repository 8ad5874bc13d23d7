"""ACPC wire format: text in, values out.

Standard library only and sans-IO: no module here opens a socket, reads a clock or draws a random
number.  Import the module that is wanted (`protocol.cards`, `protocol.gamedef`, ...); this file
imports nothing, so that starting a bot costs nothing.
"""
