"""From what a paper reports to runs, and from records to tables."""
