"""Types of command-line arguments that name files, here or in a store."""

from pathlib import Path
from typing import Any

import click

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.addresses import Address, parse_location


def _local_path(location: Path, param: click.Parameter | None) -> Path:
    if isinstance(location, Address):
        raise IrjudgeError(
            "{address} is an address; {argument} takes a file of this computer.",
            address=str(location),
            argument=param.human_readable_name if param else "the argument",
        )
    return location


class FileType(click.Path):
    """A path of this computer, also as a `file:` address; with `addresses`, one of a store too."""

    def __init__(self, *, addresses: bool = False, **checks: Any) -> None:
        super().__init__(path_type=Path, **checks)
        self._addresses = addresses

    def convert(self, value: Any, param: Any, context: Any) -> Any:
        """Return the path or the address that an argument names."""
        location = parse_location(value) if isinstance(value, str) else value
        if isinstance(location, Address) and self._addresses:
            return location
        return super().convert(_local_path(location, param), param, context)


class NameOrFileType(click.ParamType):  # type: ignore[type-arg]
    """A name, or a path of this computer, also as a `file:` address; the text of either."""

    name = "text"

    def convert(self, value: str, param: Any, context: Any) -> str:  # noqa: ARG002 -- click's
        """Return a name or path as it is, and the path that a `file:` address names."""
        path = _local_path(parse_location(value), param)
        return value if path == Path(value) else str(path)


FILE = FileType()
NAME_OR_FILE = NameOrFileType()
FILE_OR_ADDRESS = FileType(addresses=True)  # runs and qrels in Parquet or Arrow IPC
