"""Assignments out, returned files in: who judges what, one file each, and the union of what comes back."""
