"""Dashboards and reports of tables: plain specifications for services such as Weights & Biases, and their pictures."""
