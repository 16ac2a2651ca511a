"""Check that wheels and source archives hold every module and stub: `check_archives.py ARCHIVE...`, in a checkout."""

import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SUFFIXES = {".py", ".pyi", ".typed"}


def package_files(root: Path = ROOT) -> Iterator[str]:
    """Yield the path of each module and stub below `root`, as it is in the source archive."""
    for folder in ("irjudge", "ui/irjudge_ui"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and "_shipped" not in path.parts:
                yield path.relative_to(root).as_posix()


def missing_files(archive: Path, root: Path = ROOT) -> list[str]:
    """Return the modules and stubs that a wheel or a source archive lacks."""
    if archive.suffix == ".whl":  # without the folder `ui`
        with zipfile.ZipFile(archive) as wheel:
            held = set(wheel.namelist())
        return [file for file in package_files(root) if file.removeprefix("ui/") not in held]
    with tarfile.open(archive) as source:
        held = {name.partition("/")[2] for name in source.getnames()}
    return [file for file in package_files(root) if file not in held]


def main(archives: list[str]) -> int:
    """Print what each archive lacks, and return 1 where one lacks something."""
    missing = {archive: missing_files(Path(archive)) for archive in archives}
    for archive, files in missing.items():
        print(f"{archive}: {len(files)} modules or stubs are missing", *files, sep="\n  ")
    return int(not archives or any(missing.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
