"""Where tests keep their files: in memory, where the system has enough of it."""

import shutil
import tempfile
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes


def quick_folder() -> str:
    """Return a folder for files that nobody wants tomorrow: a disk takes time for each file, and for each sync a hundred times more."""
    return str(IN_MEMORY) if IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM else tempfile.gettempdir()
