"""Cards, combos, suits and ranges: what there is before anything is bet."""
