"""Topics in their dialects."""
