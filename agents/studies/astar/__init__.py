"""`arena astar`: what the evolved ensemble wins and costs, and whom it recognises."""
