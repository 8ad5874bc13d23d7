"""`arena web`: match logs in the browser, by an HTTP server of its own on the standard library."""
