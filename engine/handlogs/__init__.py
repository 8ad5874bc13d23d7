"""Match logs in bulk: compiled reading, checking and counting, and their readable twins."""
