"""Programs that each make one table or figure of the documents."""
