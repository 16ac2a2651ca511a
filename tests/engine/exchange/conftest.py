"""What tests of exchange share: a project, and the files of three assessors."""

from pathlib import Path

import pytest

from tests.engine.exchange.classroom import build, hand_out


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build(path)
    return path


@pytest.fixture
def files(project: Path, tmp_path: Path) -> list[Path]:
    """The files of three assessors, none of them judged yet."""
    return [made.path for made in hand_out(project, tmp_path / "out").files]
