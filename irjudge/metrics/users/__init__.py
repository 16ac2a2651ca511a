"""Measures with a user in mind: what was known, wanted, and looked at."""
