"""The learners themselves: fictitious play, policy gradients, sampled CFR; needs PyTorch."""
