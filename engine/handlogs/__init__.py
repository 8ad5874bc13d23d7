"""Match logs in bulk: read, verified and counted, by compiled code and its readable twins."""
