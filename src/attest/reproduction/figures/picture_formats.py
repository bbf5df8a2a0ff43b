"""The formats of the files that every picture is written to."""

PICTURE_SUFFIXES = ("svg", "png")
"""The suffixes of the files of a picture, without the dot."""
