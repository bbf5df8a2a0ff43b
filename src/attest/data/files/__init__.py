"""Official files: downloads, archives, and reading them as numbered lines."""
