"""Search logs."""
