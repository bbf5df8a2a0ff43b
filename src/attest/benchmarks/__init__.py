"""How fast, how large, and whether speed changes what is learnt: benchmarks as data, their results as records."""
