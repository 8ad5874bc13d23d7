"""Learners: networks that learn small games by self-play, and the bots that play by them."""
