"""The bot that solves every decision anew; solved situations, and networks that learn from them."""
