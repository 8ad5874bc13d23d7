"""The fast lane: ordinary hands of a match in compiled code, on a thread of its own."""
