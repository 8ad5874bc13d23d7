"""Networks: dense layers, their activations, and what they give; in float32, without torch."""
