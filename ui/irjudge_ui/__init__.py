"""Desktop window of irjudge: user interface only; all computation is done by the engine."""
