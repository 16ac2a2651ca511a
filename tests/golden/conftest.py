"""Keeps pytest from importing the scripts that made the values: they need other programs, or a release of this one."""

collect_ignore_glob = ["make_*.py", "*/make_*.py"]
