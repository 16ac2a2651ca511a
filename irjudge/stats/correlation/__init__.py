"""How alike two orders of systems or documents are."""
