"""Makes `python -m irjudge_ui` start the window."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder: nothing that lies beside a project is code of ours

from irjudge_ui.app import main

sys.exit(main())
