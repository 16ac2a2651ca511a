"""Two rankings or documents, blind, and what the preferences prove."""
