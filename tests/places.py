"""Places in this checkout."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
ORACLES = ROOT / "tests/oracles"
"""The folder of numbers that the programs of other authors have computed."""
