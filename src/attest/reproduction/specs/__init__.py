"""What a paper reports, as data: tables, figures and the choices that a text leaves open, read from reproduce/."""
