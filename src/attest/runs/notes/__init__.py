"""Notes in the folder of a run: its last step, its command, and whether it is unfinished."""
