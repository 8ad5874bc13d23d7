"""The equilibrium bot: small games solved whole, by one regret minimiser or a choice among them."""
