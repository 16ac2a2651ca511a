"""A project's collection: made, looked into, pooled, exported."""
