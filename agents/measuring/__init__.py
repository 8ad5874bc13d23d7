"""What can be won from an agent (`arena lbr`), and strategies compared (`arena versus`)."""
