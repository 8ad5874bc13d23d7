"""How strong hands are: as comparable numbers, one by one or all on a board at once."""
