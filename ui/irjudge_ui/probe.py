"""Script that tests in a child process whether Qt can show a window.

If Qt cannot show a window, it aborts the process, which Python cannot catch.
"""

import ctypes
import json
import sys

# Libraries that Qt's xcb plugin loads on Linux, and the Debian and Ubuntu package of each.
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}


def missing_packages() -> list[str]:
    """Return the packages of the libraries in `LIBRARIES` that cannot be loaded."""
    packages = []
    for library, package in LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            packages.append(package)
    return packages


PROPERTIES_OPTION = "--facts"
SCRIPTS = ("Latin", "SimplifiedChinese", "Japanese", "Korean", "Arabic", "Devanagari", "Thai")


def describe_platform() -> dict[str, str]:
    """Return properties of Qt as texts: version, platform, screens, fonts and language."""
    import PySide6  # noqa: PLC0415 -- as below
    from PySide6.QtCore import QLocale, qVersion  # noqa: PLC0415
    from PySide6.QtGui import QFontDatabase, QGuiApplication  # noqa: PLC0415

    screen_sizes = (
        f"{screen.size().width()} x {screen.size().height()} at {screen.devicePixelRatio():g}"
        for screen in QGuiApplication.screens()
    )
    scripts_without_fonts = [
        name
        for name in SCRIPTS
        if not QFontDatabase.families(getattr(QFontDatabase.WritingSystem, name))
    ]
    return {
        "Qt": f"{qVersion()}, PySide {PySide6.__version__}",
        "window": f"opens on {QGuiApplication.platformName()}",
        "screens": ", ".join(screen_sizes) or "none",
        "fonts": f"{len(QFontDatabase.families())} families"
        + (f", none for {', '.join(scripts_without_fonts)}" if scripts_without_fonts else ""),
        "language": QLocale.system().name(),
    }


def main() -> int:
    """Print missing packages, one per line, and start Qt; return 0, or 1 after an ImportError.

    With `--facts`, the last line contains the properties of Qt as JSON.
    """
    if sys.platform.startswith("linux"):
        sys.stdout.write("".join(f"{package}\n" for package in missing_packages()))
        sys.stdout.flush()
    try:
        from PySide6.QtGui import QGuiApplication  # noqa: PLC0415 -- it fails to import where a library is missing

        application = QGuiApplication([])
        if PROPERTIES_OPTION in sys.argv:
            sys.stdout.write(json.dumps(describe_platform()))
            del application
    except ImportError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
