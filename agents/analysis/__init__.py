"""Hands analysed for the web page: what a strategy would do, and what each decision was worth."""
