"""The irjudge command: it parses arguments, calls the engine and prints results."""
