"""Raw text to tokens, words to vectors."""
