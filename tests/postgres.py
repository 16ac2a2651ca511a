"""PostgreSQL servers for tests, reached through a Unix socket."""

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

MEMORY_FOLDER, MIN_FREE_BYTES = Path("/dev/shm"), 4 << 30  # bytes that must be free there
USERS = ("postgres", "nobody")  # initdb refuses root
_template_data: list[Path] = []  # data folder copied by new servers


def find_programs() -> Path | None:
    """Return the folder of the PostgreSQL programs; Debian does not add it to PATH."""
    programs = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda path: int(path.parent.parent.name),
    )
    here = shutil.which("initdb")
    return programs[-1].parent if programs else Path(here).parent if here else None


class Postgres:
    """Server that can be killed and restarted, with its data in memory if there is space.

    `within` names another folder for the data.
    """

    def __init__(self, *settings: str, within: str = "") -> None:
        bin_folder = find_programs()
        if bin_folder is None:
            if os.environ.get("CI"):
                pytest.fail("PostgreSQL is missing: apt-get install postgresql")
            pytest.skip("PostgreSQL is missing")
        self.programs, self._settings = bin_folder, settings
        # names of unused databases; a new server has one
        self._free = ["postgres"]
        self._databases_in_use = list[str]()
        # not in pytest's folder, which other users cannot enter
        self.folder = Path(tempfile.mkdtemp(prefix="irjudge-pg-", dir=within or _data_folder()))
        self.as_user: list[str] = []
        if os.getuid() == 0:
            user = next(pwd.getpwnam(name) for name in USERS if _has_user(name))
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.as_user = [
                "setpriv",
                f"--reuid={user.pw_uid}",
                f"--regid={user.pw_gid}",
                "--clear-groups",
            ]
        self.folder.chmod(0o755)
        self.data, self._process = self.folder / "data", None
        self._create_data()
        self.start()

    def _create_data(self) -> None:
        """Copy the data folder of the first server, ten times as fast as initdb."""
        if not _template_data:
            self._run(
                "initdb",
                "-D",
                str(self.data),
                "-U",
                "irjudge",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync",
            )
            template = tempfile.mkdtemp(prefix="irjudge-pg-new-", dir=_data_folder())
            atexit.register(shutil.rmtree, template, ignore_errors=True)
            _template_data.append(Path(template) / "data")
        first, then = (
            (self.data, _template_data[0])
            if not _template_data[0].exists()
            else (_template_data[0], self.data)
        )
        subprocess.run(["cp", "-a", str(first), str(then)], check=True)  # keeps the owner

    def _run(self, program: str, *arguments: str) -> str:
        command = [*self.as_user, str(self.programs / program), *arguments]
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *settings: str) -> None:
        given = [
            "listen_addresses=''",
            f"unix_socket_directories='{self.folder}'",
            "max_connections=40",
            *self._settings,
            *settings,
        ]
        options = [part for each in given for part in ("-c", each.replace("'", ""))]
        log = (self.folder / "log").open("ab")
        command = [*self.as_user, str(self.programs / "postgres"), "-D", str(self.data), *options]
        self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
            command, stdout=log, stderr=log, cwd="/"
        )
        log.close()
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url("postgres")).close()
                return
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self, number: int = signal.SIGINT) -> None:
        """Stop the server normally, or (SIGKILL) with its child processes, as a power cut would."""
        process, self._process = self._process, None
        if process is None:
            return
        if number == signal.SIGKILL:
            for child in _children(process.pid):
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        process.send_signal(number)
        process.wait(60)

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def url(self, name: str) -> str:
        return f"postgresql://irjudge@/{name}?host={self.folder}"

    def database(self) -> str:
        """Return the address of an empty database."""
        name = self._free.pop() if self._free else self._create_database()
        self._databases_in_use.append(name)
        return self.url(name)

    def _create_database(self) -> str:
        name = f"d{uuid4().hex}"  # not from `random`, which a test may have seeded
        self.sql("postgres", f"CREATE DATABASE {name}")
        return name

    def empty_databases(self) -> None:
        """Empty all databases in use for reuse: a new database takes ten times as long."""
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        for name in self._databases_in_use:
            self.sql(
                name,
                f"{others}; DROP SCHEMA public CASCADE; CREATE SCHEMA public; ALTER DATABASE {name} RESET ALL",
            )
        self._free += self._databases_in_use
        self._databases_in_use.clear()

    def sql(self, name: str, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(
            name if "://" in name else self.url(name), autocommit=True
        ) as connection:
            cursor = connection.execute(statement)  # type: ignore[call-overload]
            return cursor.fetchall() if cursor.description else []

    def dump(self, url: str) -> str:
        return self._run("pg_dump", "--no-owner", url)

    def restore(self, url: str, dump: str) -> None:
        command = [*self.as_user, str(self.programs / "psql"), "-q", "-v", "ON_ERROR_STOP=1", url]
        subprocess.run(command, check=True, input=dump, text=True, capture_output=True, cwd="/")


def _data_folder() -> str:
    """Return the folder for data: in memory if there is space, since syncs are faster there."""
    return (
        str(MEMORY_FOLDER)
        if MEMORY_FOLDER.is_dir() and shutil.disk_usage(MEMORY_FOLDER).free > MIN_FREE_BYTES
        else "/tmp"
    )


def _has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _children(pid: int) -> list[int]:
    completed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], check=False, capture_output=True, text=True
    )
    return [int(each) for each in completed.stdout.split()]
