"""Two changes to the start of worker processes that no documented setting allows.

- `start_fork_server` replaces `multiprocessing.util.spawnv_passfds` while the fork server starts,
  so that the server is a copy of this process. A new process would load all modules again.
  `irjudge evaluate --cluster local` with two runs of 400,000 lines took 3.8 s instead of 5.8 s
  (means of three on two busy cores). `multiprocessing` has no setting for this; its method `fork`
  would copy the locks of threads and leave files open.
- `retain_freed_memory` calls `mallopt` of GNU's C library, which by default returns the memory of
  each array to the system and requests it again: the same command took 3.8 s instead of 4.5 s. The
  environment variables `MALLOC_MMAP_THRESHOLD_` and `MALLOC_TRIM_THRESHOLD_` have no effect on a
  copied process, since they are read when a program starts.
"""

import ctypes
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from multiprocessing import forkserver, util
from pathlib import Path
from warnings import catch_warnings, simplefilter

from irjudge.shipped import load_modules

# Settings of the C library, in bytes. For an allocation of at least the first size, the library
# requests separate memory from the system. If more memory than the second size is free, the library
# returns memory to the system.
MMAP_THRESHOLD, TRIM_THRESHOLD = 32 << 20, 256 << 20
# numbers that identify these two settings in calls of `mallopt`
M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -3, -1
# names of threads that may run while this process is copied; pyarrow restarts them in the copy
ALLOWED_THREADS = ("jemalloc_bg_thd\n",)


def retain_freed_memory() -> None:
    """Make the C library reuse the memory of freed arrays instead of returning it to the system.

    Has no effect if the C library is not GNU's.
    """
    with suppress(AttributeError, OSError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD)
        mallopt(M_TRIM_THRESHOLD, TRIM_THRESHOLD)


def start_fork_server(modules: Sequence[str]) -> None:
    """Load modules and start the fork server as a copy of this process.

    If another thread is running, nothing is started: `multiprocessing` will start the server as a
    new process when the first worker is started.
    """
    if _is_single_threaded():
        load_modules(*modules)
    if not _is_single_threaded():
        return  # a copy would wait forever for locks that another thread has acquired
    replacement = util.spawnv_passfds
    util.spawnv_passfds = lambda path, args, passfds: _fork_process(str(args[-1]), passfds)
    try:
        forkserver.ensure_running()
    finally:
        util.spawnv_passfds = replacement


def _is_single_threaded() -> bool:
    """Return whether this process has no threads except its main thread and `ALLOWED_THREADS`."""
    try:
        other_threads = [
            path for path in Path("/proc/self/task").iterdir() if path.name != str(os.getpid())
        ]
        return all((thread / "comm").read_text() in ALLOWED_THREADS for thread in other_threads)
    except OSError:  # a thread ended during the check, or the system has no /proc
        return False


def _fork_process(code: str, open_files: Sequence[int]) -> int:
    """Fork a copy of this process, in which `code` is executed, and return its process id.

    All files are closed in the copy, except `open_files` and the standard streams.
    """
    sys.stdout.flush()  # otherwise the copy would print buffered output again
    sys.stderr.flush()
    with catch_warnings():
        # Newer versions of Python warn if other threads exist. The caller has checked that only
        # `ALLOWED_THREADS` exist.
        simplefilter("ignore", DeprecationWarning)
        process_id = os.fork()
    if process_id:
        return process_id
    try:
        descriptor_bounds = [2, *sorted(open_files), os.sysconf("SC_OPEN_MAX")]
        for previous_bound, next_bound in pairwise(descriptor_bounds):
            os.closerange(previous_bound + 1, next_bound)
        exec(code, {})
    finally:
        os._exit(0)
