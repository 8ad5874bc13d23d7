"""Files: artifacts that are checked when they are read, and writing in one piece."""
