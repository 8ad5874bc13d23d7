"""`arena experiment`: comparisons that papers published, made again; no asyncio, no torch."""
