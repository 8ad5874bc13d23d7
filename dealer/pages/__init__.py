"""The pages that show hands in a browser: HTML, styles, scripts, and all of them in one file."""
