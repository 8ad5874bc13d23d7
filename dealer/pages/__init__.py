"""What browsers show hands with: pages, styles and scripts, and all of them in one page"""
