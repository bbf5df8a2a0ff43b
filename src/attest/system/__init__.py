"""Services of the operating system: files, locks, processes, signals, memory, and a description of the machine."""
