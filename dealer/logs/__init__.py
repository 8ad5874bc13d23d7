"""Match logs: `arena replay` shows, verifies and converts them, `arena stats` counts."""
