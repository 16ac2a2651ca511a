"""Session and click measures from search logs."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irjudge.logs.table import measure_log as measure_log

__all__ = ["measure_log"]


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for: the command line needs no pandas."""
    if name == "measure_log":
        from irjudge.logs.table import measure_log  # noqa: PLC0415 -- pandas costs 0.3 s

        return measure_log
    raise AttributeError(f"module 'irjudge.logs' has no attribute {name!r}")
