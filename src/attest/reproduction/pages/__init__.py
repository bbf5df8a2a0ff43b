"""Tables and records as pages: markdown, CSV, LaTeX and the terminal."""
