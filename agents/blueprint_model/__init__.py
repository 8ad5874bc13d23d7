"""A blueprint in its file: packed strategies by abstract hand, and true hands read in them."""
