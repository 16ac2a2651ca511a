"""Created interleaved.json with commit 9db6121, before the common chain; it is not recreated.

git worktree add ../before 9db6121
PYTHONPATH=../before:../before/ui:. python -m tests.golden.interleaved.make_interleaved
"""

import json
import shutil
import tempfile
from pathlib import Path

from tests.golden.interleaved.test_interleaved import FILES, HERE, outcome

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(FILES, folder)
        text = json.dumps(outcome(Path(folder)), ensure_ascii=False, indent=1)
    (HERE / "interleaved.json").write_text(text + "\n", encoding="utf-8")
