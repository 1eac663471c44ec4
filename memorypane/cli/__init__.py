"""The commands of a person at a terminal."""
