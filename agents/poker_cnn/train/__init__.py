"""Training of the network and of what it is compared with; needs PyTorch."""
