"""What both programs of a bundle run: `irjudge` the command, `irjudge-window` the window, and either of them a module of ours."""

import runpy
import sys
from pathlib import Path

from irjudge.shipped import OURS, RUN_MODULE

if sys.argv[1:2] == [RUN_MODULE] and sys.argv[2].split(".")[0] in OURS:
    sys.argv[:] = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
elif Path(sys.executable).stem == "irjudge-window":
    from irjudge_ui.app import main as show

    sys.exit(show())
else:
    from irjudge.cli.main import main

    sys.exit(main())
