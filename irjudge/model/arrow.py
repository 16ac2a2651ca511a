"""Between Arrow, numpy and Python: pyarrow's own ways import pandas, which takes longer than most runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute


def values_of(column: Any) -> npt.NDArray[Any]:
    """Return the numbers of an Arrow column that has no nulls, an array or one in chunks.

    >>> values_of(pa.chunked_array([[1, 2], [3]])).tolist()
    [1, 2, 3]
    """
    if isinstance(column, pa.ChunkedArray):
        parts = [np.from_dlpack(chunk) for chunk in column.chunks]
        return np.concatenate(parts) if parts else np.empty(0, column.type.to_pandas_dtype())
    return np.from_dlpack(column)


def strings_of(values: Sequence[str]) -> Any:
    """Return texts as an Arrow array.

    >>> strings_of(["a", "", "bé"]).to_pylist()
    ['a', '', 'bé']
    """
    encoded = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(
        len(encoded), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))
    )


def column_of(values: npt.NDArray[Any]) -> Any:
    """Return numbers as an Arrow array that shares their memory.

    >>> strings_of(["a", "b", "c"]).take(column_of(np.array([2, 0]))).to_pylist()
    ['c', 'a']
    """
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)]
    )


_NOWHERE = column_of(np.array([-1], dtype=np.int32))[0]


def places_in(texts: Any, others: Any) -> npt.NDArray[np.int32]:
    """Return the place of each text among others that are all different, shape (N,); -1 where it is not among them.

    >>> places_in(strings_of(["b", "x", "a"]), strings_of(["a", "b"])).tolist()
    [1, -1, 0]
    """
    return values_of(pa.compute.fill_null(pa.compute.index_in(texts, value_set=others), _NOWHERE))
