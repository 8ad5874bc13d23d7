"""The training of networks of hold'em; the only part that needs PyTorch beside `net`."""
