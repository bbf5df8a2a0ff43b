"""Files, leases, processes, signals, memory, devices, random numbers, formats of arrays, facts about the machine."""
