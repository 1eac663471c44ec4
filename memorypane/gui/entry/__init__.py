"""The column that shows one entry: head, tabs and the pages under them."""
