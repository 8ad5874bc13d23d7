"""A hold'em player by rules: a chart before the flop, hand strength and pot odds after it."""
