"""Writing an entry: editor, drafts, and merging what changed meanwhile."""
