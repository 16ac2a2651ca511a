"""Judging in a browser: an assignment as one HTML file that needs no network and no installation."""
