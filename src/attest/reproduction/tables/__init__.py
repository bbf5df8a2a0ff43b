"""The content of tables: cells, the records that belong to them, figures, findings and comparisons.

A cell is an experiment: one row in one panel (columns that share runs) or, with a search, one value that it tries. Its
runs are replicates, which differ in seed or fold. A group is the records of a cell on one state of the data. A line is
a row of the table with its results.
"""
