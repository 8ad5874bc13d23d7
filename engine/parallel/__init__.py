"""Work on several cores: threads, processes, and how it ends early, at a signal or by itself."""
