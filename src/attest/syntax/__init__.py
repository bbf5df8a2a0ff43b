"""Trees over sentences, the phrases they divide into, and the parsers that make them."""
