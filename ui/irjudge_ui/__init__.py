"""Desktop window of irjudge: input and display only; the engine does the work."""
