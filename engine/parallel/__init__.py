"""Threads, processes, our own programs, and how work ends early, at a signal or by itself."""
