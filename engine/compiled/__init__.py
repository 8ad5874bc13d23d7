"""What makes kernels: compiling, vectors of 8 and 16 lanes; the only room that imports numba."""
