"""Threads, processes, workers of executors, our own programs, and how work ends early."""
