"""Types of command-line arguments that name files, here or in a store."""

from pathlib import Path
from typing import Any

import click

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.addresses import Address, parse_location


class FileType(click.Path):
    """A path of this computer, also as a `file:` address; with `addresses`, one of a store too."""

    def __init__(self, *, addresses: bool = False, **checks: Any) -> None:
        super().__init__(path_type=Path, **checks)
        self._addresses = addresses

    def convert(self, value: Any, param: Any, context: Any) -> Any:
        """Return the path or the address that an argument names."""
        location = parse_location(value) if isinstance(value, str) else value
        if not isinstance(location, Address):
            return super().convert(location, param, context)
        if not self._addresses:
            raise IrjudgeError(
                "{address} is an address; {argument} takes a file of this computer.",
                address=str(location),
                argument=param.human_readable_name if param else "the argument",
            )
        return location


FILE = FileType()
FILE_OR_ADDRESS = FileType(addresses=True)  # runs and qrels in Parquet or Arrow IPC
