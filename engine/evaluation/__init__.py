"""What a strategy can lose: local best response."""
