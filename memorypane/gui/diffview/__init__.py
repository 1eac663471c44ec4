"""Texts side by side or one below the other, with line and word tints, folding, selecting and copying."""
