"""Tests of addresses: distinguished from paths, with every character kept."""

import os
import pickle
import shutil
import sys
from importlib import import_module
from io import BytesIO
from pathlib import Path
from traceback import format_exception
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.parquet
import pytest

import irjudge
from irjudge.cli.main import main
from irjudge.cli.options import NAME_OR_FILE
from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import (
    Address,
    list_typed_secrets,
    parse_location,
    remove_secrets,
    to_location,
)
from irjudge.formats.rankings import choose_distinct_run_names, run_name
from irjudge.formats.rows import ColumnFile

fsspec = pytest.importorskip("fsspec")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("file:///srv/runs/a.run", "/srv/runs/a.run"),
        ("FILE://localhost/srv/a%20b%C3%A9.run", "/srv/a bé.run"),
        ("file:/srv/part-?.parquet", "/srv/part-?.parquet"),
        ("local:///srv/a#1.run", "/srv/a#1.run"),
        ("runs/a.run", "runs/a.run"),
        ("x:/y", "x:/y"),
        ("run=a:1/b", "run=a:1/b"),
    ],
)
def test_local_files_are_paths(text: str, path: str) -> None:
    location = parse_location(text)
    assert not isinstance(location, Address)
    assert location == Path(path)


@pytest.mark.parametrize(
    "text", ["s3://runs//a/./b/../c.parquet", "memory://a", "https://u:pw@h/a.parquet?sig=se/cret"]
)
def test_an_address_keeps_every_character(text: str) -> None:
    location = parse_location(text)
    assert isinstance(location, Address)
    assert location.url == text == pickle.loads(pickle.dumps(location)).url
    assert (location.exists(), location.is_file(), location.is_dir()) == (False, False, False)
    for secret in ("pw", "sig", "cret"):
        assert secret not in f"{location} {location!r} {location.name} {run_name(location)}"


@pytest.mark.parametrize(
    ("address", "sibling"),
    [
        ("s3://b/d?/part-0.parquet", "s3://b/d?/_order.parquet"),
        ("https://h/part-0.parquet?sig=a/b#c/d", "https://h/_order.parquet?sig=a/b#c/d"),
        ("https://me:p/w?x@h/d/part-0.parquet?a/b", "https://me:p/w?x@h/d/_order.parquet?a/b"),
    ],
)
def test_the_address_of_a_file_in_the_same_folder_has_the_same_query(
    address: str, sibling: str
) -> None:
    path = ColumnFile(parse_location(address)).sibling("_order.parquet").path
    assert isinstance(path, Address) and path.url == sibling


def test_the_case_of_schemes_and_of_the_host_of_files_is_ignored(files: Path) -> None:
    location = parse_location("S3://Bucket/A.parquet")
    assert isinstance(location, Address) and location.url == "s3://Bucket/A.parquet"
    assert parse_location(f"File://LocalHost{files}/a.parquet") == files / "a.parquet"


def test_addresses_with_one_slash_more_are_different() -> None:
    one, other = (parse_location(each) for each in ("s3://b/k", "s3://b//k"))
    assert one != other
    with pytest.raises(IrjudgeError, match="twice"):
        choose_distinct_run_names([one, parse_location("s3://b/k")])


@pytest.mark.parametrize(
    "text",
    [
        "file://srv/runs/a.run",
        "file://",
        "reference://a",
        "data://text/plain;base64,AAAA",
        "generic://a",
        "DIR://a",
        "filecache::s3://b/a.parquet",
        "zip://a.parquet::file:///a.zip",
        "s3://b/zip://a::file:///x",
    ],
)
def test_unknown_stores_are_refused(text: str) -> None:
    with pytest.raises(IrjudgeError) as raised:
        parse_location(text)
    assert raised.value.values["address"].startswith(text[:4])


@pytest.mark.parametrize("text", ["data:;base64,", "data:text/csv,", "DATA://;base64,", "zip://"])
def test_data_in_an_address_is_refused_with_its_beginning(text: str) -> None:
    with pytest.raises(IrjudgeError) as raised:
        parse_location(text + "QUJD" * 10_000)
    assert raised.value.values["address"].startswith(text)
    assert len(str(raised.value)) < 400


def test_the_scheme_of_an_address_may_be_in_capitals() -> None:
    location = parse_location("HTTPS://Host/A.parquet")
    assert isinstance(location, Address) and location.url == "https://Host/A.parquet"


def test_a_file_may_be_called_data(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data:a,b").touch()
    assert parse_location("data:a,b") == Path("data:a,b")
    assert parse_location("data:a.run") == Path("data:a.run")


def test_a_path_made_of_an_address_is_refused() -> None:
    with pytest.raises(IrjudgeError):
        to_location(Path("s3://runs/a.parquet"))


def write_columns(path: Path, document: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.table({"topic": ["1", "1"], "document": [document, "z"], "score": [2.0, 1.0]})
    pyarrow.parquet.write_table(table, path)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a run at a path, and another at the same path below the current folder."""
    (tmp_path / "q.txt").write_text("1 0 right 1\n")
    write_columns(tmp_path / "a.parquet", "right")
    write_columns(tmp_path / "here" / str(tmp_path).lstrip("/") / "a.parquet", "wrong")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def test_a_file_address_reads_the_file_it_names(files: Path, capsys) -> None:
    run, qrels = (files / "a.parquet").as_uri(), (files / "q.txt").as_uri()
    assert run.startswith("file:///")
    assert main(["evaluate", qrels, run, "-m", "AP", "--format", "json"]) == 0
    assert '"value": 1.0' in capsys.readouterr().out
    frame = irjudge.evaluate(qrels, run, "AP")
    assert frame["value"].tolist() == [1.0]


@pytest.mark.parametrize("text", ["ann,bob", "graded", "", "a//b", "./x", "a:b", "0-3"])
def test_an_option_for_names_or_files_keeps_other_texts(text: str) -> None:
    assert NAME_OR_FILE.convert(text, None, None) == text


def test_an_option_for_names_or_files_reads_only_file_addresses(tmp_path: Path) -> None:
    path = tmp_path / "a b.csv"
    assert NAME_OR_FILE.convert(path.as_uri(), None, None) == str(path)
    with pytest.raises(IrjudgeError) as error:
        NAME_OR_FILE.convert("s3://bucket/a.csv", None, None)
    assert error.value.values["address"] == "s3://bucket/a.csv"


def test_file_addresses_can_be_a_baseline_and_a_scale(files: Path, capsys) -> None:
    for name in ("b", "c"):
        (files / f"{name}.run").write_text("1 Q0 right 1 1 x\n")
    runs = [(files / f"{name}.run").as_uri() for name in ("b", "c")]
    arguments = ["compare", str(files / "q.txt"), *runs, "-m", "AP", "--test", "sign"]
    assert main([*arguments, "--baseline", runs[1], "--format", "csv"]) == 0
    assert "AP,b,c," in capsys.readouterr().out
    scale = files / "scale.json"
    scale.write_text('{"name": "s", "grades": [{"value": 0}, {"value": 1}]}')
    arguments = ["new", "p.irjudge", "--qrels", str(files / "q.txt"), "--scale", scale.as_uri()]
    assert main(arguments) == 0


COMMANDS = [
    ["evaluate", "{q}", "{a}", "--keep", "x"],
    ["compare", "{q}", "{a}", "{q}"],
    ["convert", "{q}", "-o", "{a}"],
    ["pool", "{q}", "-o", "{a}"],
    ["info", "{a}"],
    ["report", "{q}", "{q}", "-o", "{a}"],
    ["new", "{a}", "--topics", "{q}", "--documents", "{q}"],
    ["search", "{a}", "word"],
    ["merge", "{q}", "{a}"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
def test_no_command_makes_a_folder_of_an_address(files: Path, command, capsys) -> None:
    named = {"q": str(files / "q.txt"), "a": "memory://none/x"}
    assert main([each.format(**named) for each in command]) == 2
    printed = capsys.readouterr().err
    assert "Traceback" not in printed
    assert not [each for each in Path().iterdir() if ":" in each.name]


def test_store_exceptions_become_errors_with_the_address_and_no_secret(monkeypatch) -> None:
    class Broken(fsspec.AbstractFileSystem):
        def isdir(self, path: str) -> bool:
            raise RuntimeError(f"no such host in broken://me:pw@{path}")

    fsspec.register_implementation("broken", Broken, clobber=True)
    with pytest.raises(IrjudgeError) as raised:
        irjudge.read_run("broken://me:pw@host/a.parquet")
    assert "pw" not in str(raised.value)
    assert raised.value.values["address"] == "broken://host/a.parquet"


@pytest.mark.parametrize("failing", ["isdir", "open", "read"])
def test_the_traceback_of_a_store_exception_contains_no_secret(
    failing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "faulty://host/a.parquet"
    redirect_target = "https://host/b.parquet?signature=HIDDEN"

    def fail(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError(f"403: {redirect_target}")

    class UnreadableFile(BytesIO):
        size, read = 4, fail

    class FaultyStore(fsspec.AbstractFileSystem):
        protocol = "faulty"

        def isdir(self, _path: str) -> bool:
            return False

        def exists(self, _path: str, **_: Any) -> bool:
            return True

        def open(self, *_: Any, **__: Any) -> BytesIO:
            return UnreadableFile()

    fsspec.register_implementation("faulty", FaultyStore, clobber=True)
    if failing != "read":
        monkeypatch.setattr(FaultyStore, failing, fail)
    with pytest.raises(IrjudgeError) as raised:
        irjudge.read_run(address)
    assert "HIDDEN" not in "".join(format_exception(raised.value))


@pytest.mark.parametrize(
    ("url", "text"),
    [
        # as aiohttp writes the query of a presigned URL: some escapes are decoded
        (
            "https://h/a?Cred=AK%2F2026&Sig=a%2Bb%3D",
            "403, url=https://h/a?Cred=AK/2026&Sig=a%2Bb%3D",
        ),
        ("https://h/a?Cred=AK/2026&Sig=a+b=", "403, url=https://h/a?Cred=AK%2f2026&Sig=a%2bb%3d"),
        (
            "https://h/a?Sig=a b\N{LATIN SMALL LETTER E WITH ACUTE}",
            "403, url=https://h/a?Sig=a+b%C3%A9",
        ),
        ("https://me:p%41ss%2Fword@h/a", "403, url=https://me:pAss/word@h/a"),
        ("https://me:50%zz%e9@h/a", "403, url=https://me:50%zz%e9@h/a"),
    ],
)
def test_a_secret_is_removed_from_an_error_that_encodes_it_differently(url: str, text: str) -> None:
    assert remove_secrets(text, url) == "403, url=https://h/a"


def test_secrets_of_a_redirect_are_removed_in_any_case() -> None:
    text = remove_secrets("403, url=HTTPS://me:pw@cdn/k?sig=2", "https://h/a.parquet")
    assert text == "403, url=HTTPS://cdn/k"


@pytest.mark.parametrize("quote", ["'", '"', "", "<>"])
def test_secrets_of_a_redirect_are_removed_from_an_error(quote: str) -> None:
    before, after = quote[:1], quote[-1:]
    text = f"403, url={before}https://me:HIDDEN@cdn/k?Signature=HIDDEN&x=/HIDDEN{after}"
    assert remove_secrets(text, "https://h/a.parquet") == f"403, url={before}https://cdn/k{after}"


@pytest.mark.parametrize("password", ["HIDDEN", "HIDDEN/x", "HID?HIDDEN", "#HIDDEN"])
@pytest.mark.parametrize("scheme", ["https", "s3", "sftp", "memory", "zip", "file"])
def test_no_password_is_shown(scheme: str, password: str) -> None:
    text = f"{scheme}://me:{password}@host/a.parquet"
    try:
        shown = f"{parse_location(text)!r}"
    except IrjudgeError as error:
        shown = f"{error}{error.values}"
    assert "HIDDEN" not in shown
    assert "a.parquet" in shown


@pytest.mark.parametrize(
    "text",
    [
        *(
            "s3://b/a@b.parquet",
            "sftp://h:22/a@b.parquet",
            "sftp://[fe80:1:2:3:4:5:6:7]:22/a@b.parquet",
        ),
        *("sftp://h:/a@b.parquet", "s3://b/k:v/a@b.parquet"),
    ],
)
def test_an_address_without_an_account_is_shown_whole(text: str) -> None:
    assert str(parse_location(text)) == text


@pytest.mark.parametrize("name", ["a[1].parquet", "a?.parquet", "a*.parquet"])
def test_a_file_in_a_store_is_not_read_as_a_pattern(files: Path, name: str) -> None:
    store = fsspec.filesystem("memory")
    try:
        for each, document in ((name, "right"), ("a1.parquet", "wrong"), ("ab.parquet", "wrong")):
            write_columns(files / "one.parquet", document)
            store.pipe_file(f"/exact/{each}", (files / "one.parquet").read_bytes())
        frame = irjudge.evaluate(str(files / "q.txt"), f"memory://exact/{name}", "AP")
        assert frame["value"].tolist() == [1.0]
    finally:
        store.rm("/exact", recursive=True)


@pytest.mark.parametrize("folder", ["data[1]", "d?t[ab]/data[1]", "data*/x"])
@pytest.mark.parametrize("pattern", ["*.parquet", "[r]?.parquet", "**/r1.parquet"])
def test_an_existing_folder_before_a_pattern_is_not_a_pattern(
    files: Path, folder: str, pattern: str
) -> None:
    other_folder = (
        folder.replace("[1]", "1").replace("?", "a").replace("*", "b").replace("[ab]", "a")
    )
    store = fsspec.filesystem("memory")
    try:
        for each, document in ((folder, "right"), (other_folder, "wrong")):
            path = files / each / "r1.parquet"
            write_columns(path, document)
            store.pipe_file(f"/patterns/{each}/r1.parquet", path.read_bytes())
        for location in (f"{files}/{folder}/{pattern}", f"memory://patterns/{folder}/{pattern}"):
            assert irjudge.read_run(location).document.to_pylist() == ["right", "z"]
        # if no folder has this name, it is a pattern too
        shutil.rmtree(files / folder.partition("/")[0])
        run = irjudge.read_run(f"{files}/{folder}/{pattern}")
        assert run.document.to_pylist() == ["wrong", "z"]
    finally:
        store.rm("/patterns", recursive=True)


def test_a_file_whose_name_looks_like_two_addresses_is_refused(files: Path) -> None:
    """fsspec would read the file `x` instead of `x::y.parquet`."""
    store = fsspec.filesystem("memory")
    write_columns(files / "one.parquet", "wrong")
    try:
        for name in ("x", "x::y.parquet"):
            store.pipe_file(f"/chained/{name}", (files / "one.parquet").read_bytes())
        with pytest.raises(IrjudgeError) as raised:
            irjudge.read_run("memory://chained")
        assert raised.value.values == {"address": "memory:///chained/x::y.parquet"}
    finally:
        store.rm("/chained", recursive=True)


@pytest.fixture
def hosts(files: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Register a store whose names do not contain the host, as those of FTP; list its hosts."""
    opened_hosts: list[str] = []

    class HostStore(fsspec.get_filesystem_class("memory")):
        protocol, cachable, store, pseudo_dirs = "smb", False, {}, [""]

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            name = path.partition("://")[2].partition("/")[2] if "://" in path else path
            return "/" + name.strip("/") if name.strip("/") else ""

        @staticmethod
        def _get_kwargs_from_urls(path: str) -> dict[str, str]:
            opened_hosts.append(path.partition("://")[2].partition("/")[0])
            return {}

    monkeypatch.setitem(import_module("fsspec.registry")._registry, "smb", HostStore)
    write_columns(files / "one.parquet", "right")
    HostStore().pipe_file("/d/a.parquet", (files / "one.parquet").read_bytes())
    return opened_hosts


@pytest.mark.parametrize("name", ["d", "d/*.parquet", "d/a.parquet"])
@pytest.mark.parametrize(
    ("host", "opened"),
    [
        ("me:pw@files:445", "me:pw@files:445"),
        ("me@[fe80::1]:445", "me@[fe80:0000:0000:0000:0000:0000:0000:0001]:445"),
    ],
)
def test_files_of_a_host_are_read_from_this_host(
    hosts: list[str], host: str, opened: str, name: str
) -> None:
    run = irjudge.read_run(f"smb://{host}/{name}")
    assert run.document.to_pylist() == ["right", "z"]
    assert {*hosts} == {opened}


@pytest.mark.parametrize(
    "argument",
    [
        "host=h user=me password=HIDDEN dbname=x",
        "https:host/a.parquet?X-Amz-Signature=HIDDEN",
        "https:host/a.parquet#HIDDEN",
        "<https://127.0.0.1:1/a.parquet?token=HIDDEN>",
        "“https://127.0.0.1:1/a.parquet?token=HIDDEN”",
        "a.run,https://127.0.0.1:1/a.parquet?token=HIDDEN",
        "https ://127.0.0.1:1/a.parquet?token=HIDDEN",
        "https;//HIDDEN:x@127.0.0.1/a.parquet",
        "host=h pwd='some HIDDEN' dbname=x",
        "postgresql://me%3AHIDDEN%40127.0.0.1:1/x",
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ["merge", "{project}", "{argument}"],
        ["evaluate", "{q}", "{argument}"],
        ["sample", "everyday", "-o", "{argument}"],
    ],
    ids=lambda command: command[0],
)
def test_no_secret_of_an_argument_that_is_no_path_is_shown_or_stored(
    files: Path, command: list[str], argument: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project = str(files / "p.irjudge")
    if "{project}" in command:
        main(["sample", "everyday", "-o", project])
        assert main(["pool", project, "--depth", "3"]) == 0
        assert main(["assign", project, "--assessors", "ann", "-o", str(files / "assigned")]) == 0
        capsys.readouterr()
    names = {"q": str(files / "q.txt"), "project": project, "argument": argument}
    assert main([part.format(**names) for part in command]) == 2
    output = capsys.readouterr()
    assert "HIDDEN" not in output.out + output.err
    assert not [path for path in Path().iterdir() if "HIDDEN" in path.name]


@pytest.mark.parametrize(
    ("argument", "secret"),
    [
        ("me:sesame//word@host/db", "sesame//word"),
        ("me:se:/same@host", "se:/same"),
        ("postgresql/me:pass//word@host", "pass//word"),
        ("https;//h/a?token=SEC'RETSECRET", "SEC'RETSECRET"),
        ("https;//h/a?token=SEC(RET)SECRET>", "SEC(RET)SECRET"),
        ("https;//TOKEN:@h/", "TOKEN"),
        ("https;//TOKEN:X@h/", "TOKEN"),
        ("bucket.s3.amazonaws.com/a.parquet?X-Amz-Signature=SECRET", "SECRET"),
        ("https: //h/a?token=SECRET", "SECRET"),
        ("//h/a?sig=SECRET", "SECRET"),
        ("postgresql://me%3ASECRET@h/db", "SECRET"),
        ("postgresql://me%3aSE%2FCRET%40h/db", "SE/CRET"),
        ("postgresql://h/db%3Fpassword%3DSECRET", "SECRET"),
    ],
)
def test_the_secret_of_an_argument_is_found(argument: str, secret: str) -> None:
    assert secret in list_typed_secrets(argument)


@pytest.mark.parametrize(
    "name",
    [
        "v1:notes#chapter1.csv",
        "run:k1=0.9#final-version.csv",
        "pwd=abc.csv",
        "exp:a#run12/out.csv",
        "a?k1=0.9123.csv",
        "pwd=abc k1.csv",
    ],
)
def test_a_file_name_with_a_colon_or_an_equals_sign_is_accepted(files: Path, name: str) -> None:
    (files / name).parent.mkdir(exist_ok=True)
    assert main(["convert", str(files / "a.parquet"), "-o", str(files / name)]) == 0
    assert (files / name).exists()


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes")
@pytest.mark.parametrize("form", ["file://{}", "file://localhost{}", "file:{}", "local://{}"])
def test_the_address_of_a_file_whose_name_is_not_utf_8_is_read(files: Path, form: str) -> None:
    path = files / os.fsdecode(b"caf\xe9.run")
    path.write_text("1 Q0 right 1 1 a\n")
    (files / "caf\N{REPLACEMENT CHARACTER}.run").write_text("1 Q0 wrong 1 1 a\n")
    address = form.format(path.as_uri().removeprefix("file://"))
    assert address.endswith("/caf%E9.run")
    assert irjudge.read_run(address).document.to_pylist() == ["right"]


@pytest.mark.parametrize("address", ["file:///runs/a.run%00", "file:/runs/%00", "local:///a%00b"])
def test_a_file_address_with_a_zero_byte_is_an_error(address: str) -> None:
    with pytest.raises(IrjudgeError, match="zero byte"):
        parse_location(address)


@pytest.mark.parametrize(
    "address",
    [
        "ftp://me:[HIDDEN]@localhost:1/a.parquet",
        "s3://me:[HIDDEN]@bucket/a.parquet",
        "webhdfs://[HIDDEN]@host/a.parquet",
        "ftp:///a.parquet",
        "sftp:///a.parquet",
        "smb://",
    ],
)
def test_an_address_without_a_valid_host_is_refused_before_it_is_opened(address: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        parse_location(address)
    assert error.value.values == {"scheme": address.partition(":")[0]}
    assert ("HIDDEN" in address) == ("HIDDEN" in list_typed_secrets(address))


def test_an_error_of_a_store_omits_a_password_whose_case_was_changed() -> None:
    address = "https://me:SecretPW@host.invalid/a.parquet"
    shown = remove_secrets("cannot connect to https://me:secretpw@host.invalid", address)
    assert shown == "cannot connect to https://host.invalid"


@pytest.mark.parametrize(
    "address",
    [
        "http://u:sec@ret@h/a.parquet",
        "s3://u:sec@ret@b/k",
        "http://h/a?token=sec@ret",
        "sftp://u:sec/ret@h/a",
        "ftp://u:sec@ret@h:21/a",
    ],
)
def test_an_address_that_lost_a_slash_is_an_error_without_its_secrets(address: str) -> None:
    for given in (
        Path(address),
        address.replace("://", ":/"),
        address.replace("://", ":\\\\"),
    ):
        with pytest.raises(IrjudgeError) as raised:
            to_location(given)
        assert "sec" not in str(raised.value) and "ret" not in str(raised.value)


def test_a_path_with_a_colon_is_still_a_path(tmp_path: Path) -> None:
    for name in ("ab:/x", "notes:/a", "a:b@c"):
        assert parse_location(name) == Path(name)
    odd = tmp_path / "http:" / "u:p@h"
    odd.parent.mkdir()
    odd.write_text("x")
    assert to_location(odd) == odd


def test_a_path_longer_than_any_file_name_is_one_error() -> None:
    with pytest.raises(IrjudgeError):
        to_location(Path(f"s3:/{'a' * 100_000}"))


@pytest.mark.parametrize(
    "text",
    [
        "https:///me:sesame@host/a.parquet",
        "http://me:sesame%40host:1/a.parquet",
        "http://me:sesame＠host/a.parquet",
        "https:/me:sesame@host/a.parquet",
        "https://me%3Asesame%40host/a.parquet",
        "https://sesame%40host/a.parquet",
    ],
)
def test_an_address_without_a_valid_host_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        parse_location(text)
    assert "sesame" not in str(error.value)
