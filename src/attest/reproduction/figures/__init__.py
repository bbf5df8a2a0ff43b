"""Pictures drawn with matplotlib (figures of papers, benchmarks, sweeps), and the numbers behind figures of papers."""
