"""Keeps pytest from importing the scripts that made the values: they need other programs."""

collect_ignore_glob = ["make_*.py"]
