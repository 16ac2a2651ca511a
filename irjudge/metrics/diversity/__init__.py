"""Measures of a ranking for several subtopics at once."""
