"""The way from a bot at home to a server that stays up: asks for matches, and joins the two."""
