"""The contents of reproduce/ as typed data: the tables and figures of papers, and the choices that they leave open."""
