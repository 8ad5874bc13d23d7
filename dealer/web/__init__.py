"""Matches and logs in the browser: HTTP, live tables, the replayer."""
