"""Values of runs, where they come from, and how far they can still move."""
