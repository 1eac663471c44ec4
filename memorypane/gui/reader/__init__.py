"""The rendered text of an entry."""
