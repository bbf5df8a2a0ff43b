"""The arguments of the command line: its parser, its help, and errors about what was typed."""
