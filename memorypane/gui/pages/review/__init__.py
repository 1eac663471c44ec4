"""Review: what agents wrote and what waits, one by one with before and after."""
