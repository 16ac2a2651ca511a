"""Module that preloads other modules in the process from which workers are forked."""

from irjudge.shipped import load_modules

load_modules("irjudge.evaluation.evaluation_in_parts", "pyarrow.parquet")
