"""Studies: each makes the JSON in docs/data of one table or figure; `make study NAME`."""
