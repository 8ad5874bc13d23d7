"""Small evolutions side by side: what each setting of the shipped one is worth."""
