"""Reproduction of the papers: specifications of tables and figures, their content from records, and the pages."""
