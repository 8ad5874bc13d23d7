"""Hands of logs shown: as text, as JSON, in a browser, and as one seat received them."""
