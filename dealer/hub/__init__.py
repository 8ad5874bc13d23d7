"""The server that stays up: accounts, queue, matches on hosts, results, its doors and its board."""
