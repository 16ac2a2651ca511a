"""Measures of a log for notebooks: files in, a pandas table out."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from irjudge.formats.logs.logs import read_log
from irjudge.online.table import COLUMNS, ENDS, LogWish, measured


def measure_log(path: Path | str | Sequence[Path | str], *, dwell: float = 30.0, rank: int = 10, seed: int = 1) -> pd.DataFrame:
    """Compute session and click measures from a search log.

    Parameters
    ----------
    path
        A log in JSON lines or CSV, several of them that are one log, or a folder of them.
    dwell, rank, seed
        See `LogWish`.

    Returns
    -------
    pandas.DataFrame
        Columns measure, value, count, total, low, high, definition, a row for each number that `irjudge online` prints;
        low and high are the 95 % interval. What was strange in the log is in `attrs["remarks"]`.

    Raises
    ------
    IrjudgeError
        When a file or a parameter is wrong.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = Path(folder) / "log.csv"
    ...     _ = log.write_text("session,results,clicks\\na,10,2:40\\nb,10,\\n")
    ...     table = measure_log(log).set_index("measure")
    >>> table.value["SessionAbandonment"], table.value["SessionSuccess(dwell=30)"], table.value["CTR"]
    (np.float64(0.5), np.float64(0.5), np.float64(0.05))
    """
    paths = [path] if isinstance(path, Path | str) else path
    found = measured(read_log([Path(each) for each in paths]), LogWish(dwell, rank, seed))
    rows = [(*row.cells(), row.declaration.definition) for row in found.rows]
    table = pd.DataFrame(rows, columns=[*COLUMNS, *ENDS, "definition"])
    table.attrs["remarks"] = found.remarks
    return table
