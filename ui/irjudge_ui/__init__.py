"""The window of irjudge: asks and shows, and calls the engine for everything else."""
