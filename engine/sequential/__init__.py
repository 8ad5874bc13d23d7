"""Sequential tests tried out: thousands at once, on recorded and on made-up samples."""
