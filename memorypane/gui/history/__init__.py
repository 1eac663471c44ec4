"""The versions of an entry: table, diff of two, blame by line, reverting."""
