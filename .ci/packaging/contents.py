"""Says what is in a bundle: `contents.py PYINSTALLER_WORK BUNDLE` writes the notices into it and prints sizes by package."""

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

COMMON = Path("/usr/share/common-licenses")  # Debian's
DOCUMENTED = Path("/usr/share/doc")
LICENCE_NAMES = ("licen", "copying", "notice", "authors")
# Wheels that name their licence and bring no text of it.
TEXTS = {"pyside6_essentials": ("LGPL-3", "GPL-3"), "shiboken6": ("LGPL-3", "GPL-3")}
HEAD = """What others made of this program, and under which licences. This list was made from what the folder contains.

Qt and PySide6 are used under the GNU Lesser General Public License, version 3. They lie beside the program as shared libraries,
in the folders PySide6 and shiboken6, and can be replaced there by other builds of the same version.
"""

Entry = tuple[str, str, str]  # the place in the bundle, where it was taken from, its kind


def entries(table: Path) -> list[Entry]:
    """Return the list in a table of contents that PyInstaller wrote."""
    said = ast.literal_eval(table.read_text(encoding="utf-8"))
    return next(part for part in said if isinstance(part, list) and part and len(part[0]) == 3)


def owners() -> dict[Path, Distribution]:
    """Return the installed distribution of each file."""
    return {
        Path(str(each.locate_file(file))).resolve(): each
        for each in distributions()
        for file in each.files or ()
    }


def debian_package(file: Path) -> str:
    """Return the Debian package that a system library came with; nothing where dpkg knows none."""
    for each in dict.fromkeys(
        (file, file.resolve(), Path(str(file.resolve()).removeprefix("/usr")))
    ):
        try:
            said = subprocess.run(
                ["dpkg", "-S", str(each)], capture_output=True, text=True, check=False
            ).stdout
        except OSError:
            return ""
        if said:
            return said.split(":")[0]
    return ""


def sorted_out(work: Path) -> dict[str, tuple[Distribution | str, list[str]]]:
    """Return, by name, who made the parts of a bundle, and the places of their files in it."""
    known, found = owners(), {}
    for place, source, kind in [*entries(work / "COLLECT-00.toc"), *entries(work / "PYZ-00.toc")]:
        file = Path(source)
        made_by = known.get(file.resolve()) or (
            debian_package(file) if str(file).startswith(("/usr/lib", "/lib")) else "Python"
        )
        name = made_by if isinstance(made_by, str) else made_by.metadata["Name"]
        found.setdefault(name or "unknown", (made_by, []))[1].append(
            "" if kind == "PYMODULE" else place
        )
    made = next(each for each in distributions() if each.metadata["Name"].lower() == "pyinstaller")
    return found | {"pyinstaller": (made, [])}  # the programs begin with its loader


def texts(name: str, made_by: Distribution | str) -> Iterator[str]:
    """Yield the licence texts of one part."""
    if isinstance(made_by, str):
        files = [DOCUMENTED / name / "copyright"] if name != "Python" else [python_licence()]
    else:
        files = [
            Path(str(made_by.locate_file(each)))
            for each in made_by.files or ()
            if is_licence(each.parts)
        ]
        files += [COMMON / each for each in TEXTS.get(name.lower().replace("-", "_"), ())]
    yield from (
        each.read_text(encoding="utf-8", errors="replace") for each in files if each.is_file()
    )


def is_licence(parts: tuple[str, ...]) -> bool:
    """Tell whether a file of a distribution is a licence, and no program about licences."""
    return any(part.endswith(".dist-info") for part in parts) and any(
        word in part.lower() for part in parts[1:] for word in LICENCE_NAMES
    )


def python_licence() -> Path:
    """Return Python's own licence, as its builds and Debian keep it."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    places = (
        Path(sys.base_prefix, "lib", version, "LICENSE.txt"),
        Path(sys.base_prefix, "LICENSE.txt"),
        DOCUMENTED / version / "copyright",
    )
    return next((each for each in places if each.is_file()), places[0])


def licence(made_by: Distribution | str) -> str:
    """Return the licence that a distribution names."""
    if isinstance(made_by, str):
        return ""
    said = made_by.metadata
    classified = [
        line.rpartition(" :: ")[2]
        for line in said.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    return (
        said.get("License-Expression")
        or ", ".join(classified)
        or (said.get("License") or "").partition("\n")[0]
    )


def notices(parts: dict[str, tuple[Distribution | str, list[str]]]) -> Iterator[str]:
    """Yield the notices, one part after the other."""
    yield HEAD
    for name, (made_by, _) in sorted(parts.items(), key=lambda part: part[0].lower()):
        if name == "irjudge":
            continue
        version = "" if isinstance(made_by, str) else f" {made_by.version}"
        yield f"\n{'=' * 100}\n{name}{version}\n{licence(made_by)}\n{'-' * 100}\n"
        said = list(texts(name, made_by))
        yield "\n\n".join(said) if said else "It brings no text of its licence.\n"
        if not said:
            sys.stderr.write(f"No licence text of {name} was found.\n")


def sizes(
    parts: dict[str, tuple[Distribution | str, list[str]]], bundle: Path
) -> list[tuple[str, int]]:
    """Return what each part takes in the folder, the largest first; compiled Python is in the programs."""
    taken: dict[str, int] = defaultdict(int)
    inside = bundle / "_internal"
    for name, (_, places) in parts.items():
        files = [inside / place for place in places if place]
        taken[name] += sum(
            file.stat().st_size for file in files if file.is_file() and not file.is_symlink()
        )
    taken["programs, with all compiled Python"] = sum(
        file.stat().st_size for file in bundle.iterdir() if file.is_file() and not file.is_symlink()
    )
    return sorted(taken.items(), key=lambda part: -part[1])


def main(work: Path, bundle: Path) -> None:
    """Write the notices and print the table."""
    parts = sorted_out(work)
    (bundle / "THIRD-PARTY-NOTICES.txt").write_text("".join(notices(parts)), encoding="utf-8")
    table = [part for part in sizes(parts, bundle) if part[1] >= 100_000]
    sys.stdout.write("".join(f"{size / 1e6:8.1f} MB  {name}\n" for name, size in table))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
