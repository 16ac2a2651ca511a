"""Documents in their dialects, and topics in a room of their own."""
