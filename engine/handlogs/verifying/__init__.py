"""The hands of a match in a row: ids, names, deals and totals, and what explains its faults."""
