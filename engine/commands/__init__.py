"""Commands of `arena` that need nothing but the engine."""
