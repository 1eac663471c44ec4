"""The door: listener, sessions, control channel and bridge; the only package that imports the MCP library."""
