"""Makes the library of the ensemble, and measures what it wins."""
