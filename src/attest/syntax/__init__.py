"""Constituency trees, the phrases that they divide a sentence into, and parsers that make trees."""
