"""Tests of the harbour collection: README, reproducible files, and exercises."""

import csv
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import unicodedata
import zlib
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from irjudge.cli.main import main
from irjudge.evaluation import Policy, evaluate_runs, parse_measures
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.judging import create_sample_project, list_grades_in_force, list_qrels_rows
from irjudge.model import Document
from irjudge.shipped import sample_folders
from irjudge.store import create_project_from_files, open_project, sample_sources
from tests.numbers_in_text import find_numbers

FOLDER = sample_folders()["harbour"]
README = (FOLDER / "README.md").read_text(encoding="utf-8")
SOURCES, SCALE = sample_sources("harbour")
LANGUAGES = ("zh", "ar", "hi", "de", "es", "fr", "ja", "pt", "sw")
SCRIPTS = {"zh": "CJK", "ar": "ARABIC", "hi": "DEVANAGARI"}
NAMES = {"zh": "Chinese", "ar": "Arabic", "hi": "Hindi"}
MADE = ("make_map", "make_log", "make_runs", "make_judgments", "make_model_labels")


def script(path: Path) -> ModuleType:
    """Import a script of the collection as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look up their module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[path.stem]
    return module


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    warnings: list[str] = []
    result = {
        document.id: document for document in read_documents(SOURCES.documents, warnings=warnings)
    }
    assert warnings == []
    return result


def language(name: str) -> str:
    prefix = name.partition("-")[0]
    return prefix if prefix in LANGUAGES else "en"


def script_of(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def pixels(path: Path) -> bytes:
    """Return the uncompressed pixels of a PNG with one data chunk.

    The compressed bytes depend on the version of zlib.
    """
    data = path.read_bytes()
    begin = data.index(b"IDAT")
    size = int.from_bytes(data[begin - 4 : begin])
    return data[:begin][:-4] + zlib.decompress(data[begin + 4 : begin + 4 + size])


@pytest.mark.slow
def test_the_scripts_reproduce_every_file(tmp_path: Path) -> None:
    copy = tmp_path / "harbour"
    shutil.copytree(
        FOLDER,
        copy,
        ignore=shutil.ignore_patterns(
            "__pycache__",
            "*.run",
            "qrels.txt",
            "judgments.csv",
            "model_labels.txt",
            "log-book.md",
            "*.png",
        ),
    )
    for name in MADE:
        script(copy / f"{name}.py").main()
    shipped = {
        path.relative_to(FOLDER)
        for path in FOLDER.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {
        path.relative_to(copy)
        for path in copy.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    } == shipped
    for name in sorted(shipped):
        read = pixels if name.suffix == ".png" else Path.read_bytes
        assert read(copy / name) == read(FOLDER / name), name


def test_sizes_are_those_in_the_readme(documents: dict[str, Document]) -> None:
    with (FOLDER / "judgments.csv").open(encoding="utf-8", newline="") as file:
        judgments = list(csv.DictReader(file))
    runs = sorted(path.stem for path in SOURCES.runs)
    topics = read_topics(SOURCES.topics[0]).topics
    assessors = {row["assessor"] for row in judgments}
    match = re.search(
        r"(\d+) documents, (\d+) topics, (\d+) runs, (\d+) judged pairs, (\d+) judgments by (\d+) assessors",
        README,
    )
    assert match is not None
    counts = (
        len(documents),
        len(topics),
        len(runs),
        len(read_qrels(SOURCES.qrels[0])),
        len(judgments),
        len(assessors),
    )
    assert tuple(map(int, match.groups())) == counts
    assert counts[0] >= 120 and counts[1] == 12 and runs == "bm25 grams ql titles words".split()
    for prefix in SCRIPTS:
        assert f"`{prefix}` {NAMES[prefix]} ({Counter(map(language, documents))[prefix]})" in README
    kinds = Counter(document.kind for document in documents.values())
    assert kinds == {"text": 136, "html": 14, "markdown": 9, "image": 1}
    assert all(each in README for each in ("136 texts", "14 HTML", "9 Markdown", "a picture"))


def test_one_document_is_as_long_as_a_book_without_repeated_days(
    documents: dict[str, Document],
) -> None:
    assert [name for name, document in documents.items() if len(document.text) >= 300_000] == [
        "log-book"
    ]
    days = documents["log-book"].text.split("\n### ")[1:]
    assert len(days) == len({day.partition("\n")[2] for day in days}) == 365


@pytest.mark.parametrize(("prefix", "name"), SCRIPTS.items())
def test_texts_are_written_in_the_script_of_their_language(
    documents: dict[str, Document], prefix: str, name: str
) -> None:
    counts = {
        each.id: sum(script_of(letter) == name for letter in each.text)
        for each in documents.values()
    }
    assert [each for each, count in counts.items() if language(each) == prefix and count < 60] == []
    assert {each for each, count in counts.items() if language(each) != prefix and count >= 60} <= {
        "phrasebook"
    }


@pytest.mark.parametrize("name", ["ar-coffee-machine", "ar-dates-label", "ar-ferry-notice"])
def test_some_lines_have_both_directions(documents: dict[str, Document], name: str) -> None:
    mixed = [
        line
        for line in documents[name].text.splitlines()
        if {"ARABIC", "LATIN"} <= {script_of(letter) for letter in line}
    ]
    assert mixed


def test_no_two_documents_have_the_same_text(documents: dict[str, Document]) -> None:
    assert len({document.digest for document in documents.values()}) == len(documents)
    assert [
        document.id
        for document in documents.values()
        if document.kind != "image" and not document.title
    ] == []


def test_every_grade_and_exception_is_of_a_judged_pair(
    documents: dict[str, Document],
) -> None:
    made = script(FOLDER / "make_judgments.py")
    base, other = made.careful(), made.departures()
    pairs = set(made.judged_pairs())
    assert set(base) <= pairs and {pair for _, pair in other} <= pairs
    assert {document for _, document in pairs} <= set(documents)
    assert [each for each, grade in other.items() if grade == base.get(each[1], 0)] == [], (
        "only departures are listed"
    )
    assert len(other) == sum(len(where.split()) - 1 for _, _, where, _ in made.DEPARTURES), (
        "nothing is decided twice"
    )
    assert {who for who, _ in other} == set(made.ASSESSORS[1:])
    assert all(reason for *_, reason in made.DEPARTURES)


def test_the_pool_is_judged_completely() -> None:
    made = script(FOLDER / "make_judgments.py")
    judged = {(topic, document) for topic, document, _ in read_qrels(SOURCES.qrels[0]).rows()}
    for path in SOURCES.runs:
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        assert {
            (topic, document) for topic, _, document, rank, _, _ in lines if int(rank) <= made.DEPTH
        } <= judged


def test_every_topic_has_relevant_documents_in_its_language_and_near_misses() -> None:
    languages = dict(
        zip(map(str, range(1, 13)), "en en en en en en zh zh ar ar hi hi".split(), strict=True)
    )
    grades: dict[str, list[int]] = {topic: [] for topic in languages}
    for topic, document, grade in read_qrels(SOURCES.qrels[0]).rows():
        if language(document) == languages[topic]:
            grades[topic].append(grade)
    assert [
        topic
        for topic, topic_grades in grades.items()
        if len(topic_grades) - topic_grades.count(0) < 3
        or 3 not in topic_grades
        or topic_grades.count(0) < 2
    ] == []


def test_grades_match_the_readme() -> None:
    made = script(FOLDER / "make_judgments.py")
    graded = dict(made.graded())
    assert f"{len(graded)} judged pairs" in README
    differ = sum(len(set(grades)) > 1 for grades in graded.values())
    far = sum(max(grades) - min(grades) > 1 for grades in graded.values())
    assert (differ, far) == (
        85,
        8,
    ) and "85 of the 198" in README
    strict = [pair for pair, grades in graded.items() if grades[2] != grades[0]]
    rule = [
        where.split()
        for who, _, where, reason in made.DEPARTURES
        if who == "assessor-3" and "another language" in reason
    ]
    assert (len(strict), sum(len(where) - 1 for where in rule)) == (61, 22)
    assert "61 pairs" in README and "22 of them" in README


def test_unretrieved_documents_match_the_readme() -> None:
    result = {
        tuple(line.split()[0:3:2])
        for path in SOURCES.runs
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    relevant = [
        (topic, document) for topic, document, grade in read_qrels(SOURCES.qrels[0]).rows() if grade
    ]
    missed = [pair for pair in relevant if pair not in result]
    own = [
        document
        for topic, document in missed
        if language(document) == ("en" if int(topic) < 7 else "zh" if int(topic) < 9 else "")
    ]
    assert (len(missed), len(relevant), len(missed) - len(own)) == (20, 109, 17)
    assert "20 of the 109" in README and "17 of these" in README
    assert sorted(own) == ["ring-round-moon", "wet-sack", "zh-earthquake-bag"]


def test_the_table_of_runs_has_the_values_of_irjudge() -> None:
    runs = [read_run(path) for path in SOURCES.runs]
    table = evaluate_runs(
        read_qrels(SOURCES.qrels[0]),
        runs,
        parse_measures(["AP", "P@5", "nDCG@10"]),
        Policy(topics="qrels"),
        highest=3,
    )
    for run in table.runs:
        (row,) = re.findall(
            rf"^\| `{run.run}` \|.*\| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", README, re.MULTILINE
        )
        assert row == tuple(f"{value:.4f}" for value in run.summary)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the exercises are for a POSIX shell")
def test_the_exercises_print_the_output_in_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "bin" / "irjudge"
    program.parent.mkdir()
    # repeats the arguments as split by a shell
    program.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    copy = tmp_path / "harbour"
    shutil.copytree(FOLDER, copy)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(copy)
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    parts = [
        part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part
    ]
    assert len(parts) == 9
    for part in parts:
        command, _, output = part.partition("\n")
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        code, printed, err = done.returncode, done.stdout, done.stderr
        if command.startswith("irjudge "):
            code = main(printed.splitlines())
            printed, err = capfd.readouterr()
        assert (code, printed) == (0, output), f"{command}\n{err}"


def test_the_project_has_text_pages_and_the_picture(tmp_path: Path) -> None:
    create_project_from_files(tmp_path / "p.irjudge", SOURCES, scale=SCALE)
    with open_project(tmp_path / "p.irjudge", writing=False) as project:
        assert project.collection.document_count() == 160
        picture = project.collection.document("harbour-map")
        assert (
            picture.kind == "image"
            and picture.body == (FOLDER / "documents" / "harbour-map.png").read_bytes()
        )


@pytest.mark.slow
def test_the_sample_is_created_with_its_pool_and_judgments(tmp_path: Path) -> None:
    report = create_sample_project(tmp_path / "p.irjudge", "harbour")
    pool, judgments = report.sentences[-2:]
    assert (pool.key, pool.values) == ("pool", {"pairs": "166", "depth": "10"})
    assert "judgments.csv" in judgments and {"594", "3"} <= set(find_numbers(judgments))
    with (FOLDER / "judgments.csv").open(encoding="utf-8", newline="") as file:
        grades = {
            (row["topic"], row["document"], row["assessor"]): int(row["grade"])
            for row in csv.DictReader(file)
        }
    with open_project(tmp_path / "p.irjudge", writing=False) as project:
        assert project.verify().problems == ()
        stored = {
            (event.item.topic, event.item.documents[0], name): event.payload["value"]
            for name in project.events.assessors()
            for event in list_grades_in_force(project, name)
        }
        assert len(list_qrels_rows(project)) == 198
    assert stored == grades


def test_a_sample_for_judging_has_no_judgments(tmp_path: Path) -> None:
    create_sample_project(tmp_path / "p.irjudge", "everyday")
    with open_project(tmp_path / "p.irjudge", writing=False) as project:
        assert (project.events.assessors(), project.rankings.pool_version()) == ((), 0)
