"""irjudge: judge search results and evaluate rankings."""
