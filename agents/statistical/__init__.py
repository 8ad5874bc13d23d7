"""The statistical modeller: counts what an opponent does, infers what it holds, and exploits it."""
