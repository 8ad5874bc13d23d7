"""Fewer cards and fewer bets: buckets of hands, menus of raises."""
