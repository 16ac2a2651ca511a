"""Documents and topics in their dialects."""
