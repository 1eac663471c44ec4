"""The window around the pages: navigation, columns, keys, status."""
