"""`arena cnn`: how well the network predicts, and what the bot wins."""
