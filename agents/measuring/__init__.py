"""What can be won from an agent (`arena lbr`); strategies compared, and told hand by hand."""
