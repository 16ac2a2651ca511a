"""Desktop application of irjudge: user interface only; the engine does all computation."""
