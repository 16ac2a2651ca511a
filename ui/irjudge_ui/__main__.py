"""Entry point of `python -m irjudge_ui`."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # remove the current folder, so that no modules in it are imported

from irjudge_ui.app import main

sys.exit(main())
