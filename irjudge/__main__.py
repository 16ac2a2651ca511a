"""Entry point of `python -m irjudge`, which is equivalent to `irjudge`."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # remove the current folder, whose files must not be imported

from irjudge.cli.main import main

sys.exit(main())
