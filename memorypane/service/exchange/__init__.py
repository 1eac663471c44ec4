"""Import, export and sample content."""
