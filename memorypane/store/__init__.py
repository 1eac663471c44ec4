"""The identity store: one SQLite file; the only package that imports the database library."""
