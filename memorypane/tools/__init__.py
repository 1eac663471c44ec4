"""The tool families agents call: schemas and thin handlers over the agent face."""
