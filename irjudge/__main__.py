"""Makes `python -m irjudge` the same as `irjudge`."""

import sys

from irjudge.cli.main import main

sys.exit(main())
