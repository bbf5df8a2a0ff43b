"""Every setting of a run: its schema, its composition from conf/, and the objects it names."""
