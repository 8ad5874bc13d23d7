"""What all command lines have in common: arguments, printing, progress, stopping."""
