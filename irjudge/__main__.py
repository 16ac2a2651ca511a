"""Makes `python -m irjudge` the same as `irjudge`."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, whose files must not be imported

from irjudge.cli.main import main

sys.exit(main())
