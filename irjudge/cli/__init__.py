"""The irjudge command: parses, calls, prints."""
