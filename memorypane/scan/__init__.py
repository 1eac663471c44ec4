"""Findings in text: what a person should look at before it goes live."""
