"""Benchmarks of speed, memory and convergence: each is a YAML file, and its results are a record.

A benchmark measures variants, such as two implementations, in cases, such as lengths of sentences. The functions named
`measure` return the rows of a record, one for each variant in each case (see `bench.Row`). Their parameter `settings`
holds overrides of a run, `rounds` and `repeats` say how often each variant is measured.
"""
