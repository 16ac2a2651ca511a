"""What workers of this machine need, loaded once in the process from which they are forked."""

from irjudge.shipped import load

load("distributed", "irjudge.evaluation.evaluation_in_parts", "pyarrow.parquet", "numpy.random")  # Dask asks each for a seed of the last
