"""Commands of  that need nothing but the engine."""
