"""From official files to batches: readers, text, vocabulary, corpus, splits, batches."""
