"""Loads what the workers of this machine need, once: in the process of which they are copies."""

from irjudge.shipped import load_modules

load_modules("irjudge.evaluation.evaluation_in_parts", "pyarrow.parquet")
