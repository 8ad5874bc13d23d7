"""What all command lines have in common.

command        a command as a record: its help, its options and one call
command_table  commands by name: finds one and runs it
options        options that several commands have
arguments      types of arguments: numbers, games, cards, files to write
parser         the parser, whose errors are one line
exit_codes     what a command ends with
output         lines on stdout and stderr, files of results, ending quietly
progress       how far long work is
text_table     rows of cells as lines
stopping       Ctrl-C and other requests to end
version        of the installed program

A command is a module with `main(argv) -> int`, which `dealer.arena` finds in its table.
"""
