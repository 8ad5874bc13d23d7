"""The self-improver: sizes of opponents that a blueprint lacks, chosen from logs and trained."""
