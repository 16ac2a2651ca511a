"""Entry point of `python -m irjudge_ui`."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder: modules next to a project must not be imported

from irjudge_ui.app import main

sys.exit(main())
