"""The pages that show hands in a browser: HTML, style and scripts, and one page with all of them"""
