"""A run: its id, its record, its life from start to finish, and who observes it."""
