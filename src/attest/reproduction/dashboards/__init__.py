"""Dashboards and reports of tables: plain specifications, which services such as Weights & Biases draw."""
