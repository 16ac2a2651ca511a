"""Command line of irjudge, which parses arguments, calls the engine and prints results."""
