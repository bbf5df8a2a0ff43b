"""Tables and records as pages: markdown, CSV, LaTeX, HTML and the terminal."""
