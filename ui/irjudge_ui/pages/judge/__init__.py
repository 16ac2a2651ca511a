"""One document after another gets its grade."""
