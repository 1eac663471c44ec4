"""Tables of facts: activity, calls, import reports."""
