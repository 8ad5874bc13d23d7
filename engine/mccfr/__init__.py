"""CFR by sampling, for abstract games too large for anything else."""
