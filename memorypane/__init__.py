"""Memory Pane: where a person governs what AI agents remember."""

__version__ = "0.1.0"
