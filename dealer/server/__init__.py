"""One match over TCP: table, seats, clocks, records."""
