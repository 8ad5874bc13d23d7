"""A toy policy that learns in our Gymnasium environment by PPO."""
