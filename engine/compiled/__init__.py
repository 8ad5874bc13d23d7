"""What makes kernels, and runs them without numba; the only room that imports numba."""
