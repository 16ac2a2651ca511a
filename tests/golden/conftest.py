"""Excludes the scripts that created the values: they need other programs or an earlier release."""

collect_ignore_glob = ["make_*.py", "*/make_*.py"]
