"""The compliance test: one bot against a scripted dealer, check by check."""
