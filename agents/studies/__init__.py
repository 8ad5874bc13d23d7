"""Studies: what measures the bots for the pages of docs; nothing that plays or learns needs it."""
