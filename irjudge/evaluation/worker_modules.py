"""Loads what workers of this machine need, once: in the process of which they are copies."""

from irjudge.shipped import load

load("distributed", "irjudge.evaluation.evaluation_in_parts", "pyarrow.parquet", "numpy.random")  # of the last Dask asks a seed for each
