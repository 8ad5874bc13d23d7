"""Work on several cores: threads, processes, and how a run of many ends early."""
