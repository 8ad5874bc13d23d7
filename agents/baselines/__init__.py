"""Yardsticks: bots that look at no card."""
