"""What bots win from each other, what they do, and what they can lose."""
