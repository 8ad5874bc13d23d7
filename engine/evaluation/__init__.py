"""What a strategy can lose: local best response, scripts, exact matches."""
