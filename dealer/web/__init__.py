"""Matches and logs in the browser: an HTTP server of its own, live tables, a seat for a person."""
