"""The pool of opponents: scripted ones and knowledge bots."""
