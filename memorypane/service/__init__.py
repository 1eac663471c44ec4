"""The rules: what agents may do, what the person may do, and the one write pipeline."""
