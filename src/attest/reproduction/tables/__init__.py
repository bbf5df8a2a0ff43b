"""The content of tables: cells, the records that belong to them, figures, findings and comparisons."""
