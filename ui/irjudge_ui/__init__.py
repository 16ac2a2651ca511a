"""Desktop window of irjudge. It asks and displays; the engine does everything else."""
