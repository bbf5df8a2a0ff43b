"""Runs: their ids, records, life cycle and observers."""
