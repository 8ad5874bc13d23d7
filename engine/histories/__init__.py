"""Hand histories in the formats of others: a hand as plain data, a reader and writer a format."""
