"""What one opponent has done, counted and kept in a file."""
