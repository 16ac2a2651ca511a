"""Makes `python -m irjudge_ui` start the window."""

import sys

from irjudge_ui.app import main

sys.exit(main())
