"""The list of entries."""
