"""A class that judges together."""
