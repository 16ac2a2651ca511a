"""Loads what workers of this machine need, once: in the process of which they are copies."""

from irjudge.shipped import load

# `numpy.random` gives Dask a seed for each worker.
load(
    "irjudge.evaluation.evaluation_in_parts",
    "pyarrow.parquet",
    "numpy.random",
    "tornado.platform.asyncio",
)
load("distributed").versions.get_versions()  # each worker tells them, and they are kept
