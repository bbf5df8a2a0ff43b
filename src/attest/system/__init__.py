"""Files, locks, processes, signals, memory and what this machine is."""
