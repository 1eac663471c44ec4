"""Pages other than lists and entries."""
