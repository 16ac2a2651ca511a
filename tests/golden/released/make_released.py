"""Creates the files of a release, and the values that the release computes from them.

Run it with the code and the tests of the release itself, not with those of today:

    git worktree add --detach ../released b99be626
    PYTHONPATH=../released:../released/ui python tests/golden/released/make_released.py \
        tests/golden/released/b99be626

The imports are those of the newest release in this folder. To add a release, change them where its
names differ; the maker of an older release is in the history of this file. README.md describes what
is made.
"""

import json
import shutil
import sqlite3
import struct
import sys
import tempfile
import zlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from continuing import (
    answer_prompts,
    compare_on,
    decide_on,
    grade_in_session,
    grade_on,
    state_hash,
    ticking,
    written,
)

import irjudge as release
from irjudge.audit import AnswerFile, import_answer_files, make_answers_path
from irjudge.cli.main import main as run_command
from irjudge.exchange import (
    AssignmentOptions,
    Candidate,
    ComparisonOptions,
    assign_comparison,
    assign_comparison_to_owner,
    assign_pool,
    merge_files,
)
from irjudge.formats.rankings import read_qrels
from irjudge.judging import (
    AdjudicationRecorder,
    Attention,
    ComparisonSession,
    Norming,
    Session,
    get_ledger,
    list_norming_sessions,
    list_qrels_choices,
    list_qrels_rows,
    read_valid_adjudications,
    set_consensus_method,
    submit_work,
)
from irjudge.model import ComparisonRules, Document, Scale, Topic, make_run
from irjudge.model.scale import Grade
from irjudge.pooling import PoolOptions, build_pool
from irjudge.report import stored_evaluations
from irjudge.store import SIDE_KEY, Project, create_project, open_project
from irjudge.web import SchedulingOptions, SessionOptions, load_panel
from irjudge_ui.settings import Settings
from tests.engine.exchange.browser_results import Browser, open_page
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server, send_request

TOPICS = ("051", "007", "NA", "Zürich")
SCALE = Scale(
    "harbour",
    tuple(
        Grade(value, label, f"help of {label}")
        for value, label in enumerate(("none", "some", "good", "best"))
    ),
)
MEASURES = "AP nDCG@10 RBP(p=0.8)"


def picture() -> bytes:
    """Return a PNG of one grey pixel."""
    parts = (
        b"IHDR" + struct.pack(">2I5B", 1, 1, 8, 0, 0, 0, 0),
        b"IDAT" + zlib.compress(b"\0\x80"),
        b"IEND",
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each))
        for each in parts
    )


def documents() -> list[Document]:
    """Return documents of every kind: some share a text, one has no title, one is nearly empty."""
    plain = [
        Document(
            f"{topic}-{n}", f"Text {n} about {topic}. {'More words. ' * n}".encode(), f"Title {n}"
        )
        for topic in TOPICS
        for n in range(8)
    ]
    return [
        *plain,
        Document("twin-a", b"the same text", "Twin"),
        Document("twin-b", b"the same text", "Twin"),
        Document(
            "html",
            b"<h1>Heading</h1><p>A <b>bold</b> claim &amp; a <a href='http://example.org'>link</a>.</p>",
            "",
            "html",
        ),
        Document("mark", "# Überschrift\n\n*emphasis* and `code`\n".encode(), "Marked", "markdown"),
        Document("grey", picture(), "A grey pixel", "image"),
        Document("short", b".", "", fields=(("author", "Ørsted"), ("year", "1820"))),
    ]


def build(path: Path, qrels: Path) -> None:
    """Create the organiser's project: three runs, a removed run, qrels with groups, two pool versions."""
    others = ("twin-a", "twin-b", "html", "mark", "grey", "short", "textless")
    with create_project(
        path, scale=SCALE, title="Harbour of release", owner="organiser"
    ) as project:
        project.set_setting("seed", "20260504")
        project.set_setting(SIDE_KEY, "ab" * 32)
        project.set_setting("instructions", "# How to judge\n\nRead *all* of it.")
        project.set_setting("calibration", json.dumps({"051": {"051-7": 2}}))
        project.collection.add_topics(
            Topic(topic, f"about {topic}", f"What is {topic}?", f"Only {topic} counts.")
            for topic in TOPICS
        )
        project.collection.add_documents(documents())
        for shift, name in enumerate(("bm25", "dense", "mixed", "withdrawn")):
            rows = [
                (topic, f"{topic}-{(n + shift) % 7}", 10.0 - n // 2)
                for topic in TOPICS
                for n in range(7)
            ]
            rows += [("051", each, 3.0 - place - shift) for place, each in enumerate(others)]
            run = replace(make_run(name, rows), metadata=f"tag: {name}")
            project.rankings.add_run(run, f"{name}.run")
        project.rankings.remove_run("withdrawn")
        lines = [f"{topic} {1 + n % 2} {topic}-{n} {n % 4}" for topic in TOPICS for n in range(8)]
        qrels.write_text("\n".join(lines) + "\n", encoding="utf-8")
        project.rankings.add_qrels("truth", read_qrels(qrels), "truth.qrels")
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(build_pool(runs, PoolOptions("depth", depth=3)))
        project.rankings.add_pool(
            build_pool(runs, PoolOptions("stratified(edges=3,rates=1/0.7)", depth=10, seed=7))
        )


def own_work(path: Path) -> None:
    """Judge, compare and adjudicate as the organiser, with an event of every kind."""
    with open_project(path) as project:
        grade_on(Session(project, clock=ticking(1)), 12)
        rules = ComparisonRules(grading=True, top=0)
        assign_comparison_to_owner(
            project,
            ComparisonOptions((("bm25", "dense"),), depth=3, repeats=1, seed=3, rules=rules),
        )
        compare_on(ComparisonSession(project, clock=ticking(10)), Attention, 4)
        found = [project.collection.document(f"007-{number}") for number in range(3)]
        decide_on(AdjudicationRecorder(project, clock=ticking(20)), "007", found)


def hand_out(path: Path, folder: Path) -> None:
    """Assign grading with gold, a repeat and qualification, then panels, then pairs."""
    with open_project(path) as project:
        people = [Candidate("ann", "ann@example.org"), Candidate("bob"), Candidate("Çelik")]
        wish = AssignmentOptions(overlap=2, share=0.8, gold=2, repeats=1, qualification=1, seed=5)
        assign_pool(project, people, wish, folder, deadline="2026-06-01", gold_from="truth")
        two = (("bm25", "dense"), ("dense", "mixed"))
        panel = ComparisonOptions(
            two,
            depth=4,
            overlap=2,
            repeats=1,
            seed=6,
            rules=ComparisonRules(must_view=True, grading=True),
        )
        assign_comparison(project, [Candidate("pat"), Candidate("bob")], panel, folder)
        pair = ComparisonOptions(
            two,
            topics=("007",),
            depth=5,
            seed=8,
            choice="top",
            rules=ComparisonRules(top=2, reasons=("clearer",)),
        )
        assign_comparison(project, [Candidate("pat")], pair, folder)


def judge(path: Path, start: int, most: int) -> None:
    """Grade in an assessor's file."""
    with open_project(path) as task:
        grade_on(Session(task, clock=ticking(start)), most)


def compare(path: Path, start: int, most: int) -> None:
    """Compare in an assessor's file."""
    with open_project(path) as task:
        compare_on(ComparisonSession(task, clock=ticking(start)), Attention, most)


def without_an_event(path: Path) -> None:
    """Delete the third event of a file, as a damaged copy would: later events wait."""
    with closing(sqlite3.connect(path)) as database, database:
        find = "SELECT sql FROM sqlite_schema WHERE name = 'event_remains'"
        (trigger,) = database.execute(find).fetchone()
        database.execute("DROP TRIGGER event_remains")
        database.execute("DELETE FROM event WHERE sequence = 3")
        database.execute(trigger)
    database.close()


def returned(tasks: Path, folder: Path) -> None:
    """Judge the assessors' files: some incomplete, duplicate, forked, or with a missing event."""
    folder.mkdir()
    judge(tasks / "ann.irtask", 60, 100)
    with open_project(tasks / "ann.irtask") as task:
        submit_work(Session(task))
    shutil.copy(tasks / "ann.irtask", folder / "ann.irtask")
    judge(tasks / "bob.irtask", 120, 5)
    shutil.copy(tasks / "bob.irtask", folder / "bob, early.irtask")
    judge(tasks / "bob.irtask", 180, 4)
    judge(tasks / "Çelik.irtask", 240, 6)
    laptop = Path(shutil.copy(tasks / "Çelik.irtask", folder / "Çelik, laptop.irtask"))
    judge(tasks / "Çelik.irtask", 300, 5)
    judge(laptop, 330, 4)
    shutil.copy(tasks / "Çelik.irtask", folder / "Çelik.irtask")
    compare(tasks / "bob-2.irtask", 360, 100)
    shutil.copy(tasks / "bob-2.irtask", folder / "bob, panels.irtask")
    compare(tasks / "pat.irtask", 420, 7)
    without_an_event(Path(shutil.copy(tasks / "pat.irtask", folder / "pat, an event lost.irtask")))
    compare(tasks / "pat-2.irtask", 480, 5)


def settle(path: Path) -> None:
    """Exclude an assessor, adjudicate, and choose the consensus rule."""
    with open_project(path) as project:
        project.assignments.set_exclusion("pat", "too fast")
        set_consensus_method(project, "lower-median")
        decide_on(
            AdjudicationRecorder(project, clock=ticking(610)),
            "051",
            [project.collection.document(f"051-{number}") for number in (1, 2)],
        )


def go_on(path: Path, kind: str) -> list[str]:
    """Continue a file with a fixed clock and return the bytes of the new events."""
    with open_project(path) as project:
        before = project.events.digests()
        if kind in ("grade", "all"):
            grade_on(Session(project, clock=ticking(700)), 30)
        if kind in ("compare", "all"):
            compare_on(ComparisonSession(project, clock=ticking(760)), Attention, 30)
        if kind == "all":
            found = [project.collection.document(f"NA-{number}") for number in range(4)]
            decide_on(AdjudicationRecorder(project, clock=ticking(820)), "NA", found)
        return written(project.events.read(), before)


def state(project: Project) -> str:
    """Return the state hash of an open project."""
    decided = read_valid_adjudications(project).values()
    return state_hash(project, lambda name: get_ledger(project, name).judgments(), decided)


def look(path: Path) -> dict[str, Any]:
    """Return the state of a project and its qrels."""
    with open_project(path, writing=False) as project:
        waiting = len(project.events.waiting())
        return {
            "state": state(project),
            "waiting": waiting,
            "qrels": {
                each.name: list_qrels_rows(project, each) for each in list_qrels_choices(project)
            },
        }


def keep_settings(path: Path) -> dict[str, Any]:
    """Write the settings of the window and return the values read back."""
    settings = Settings(path)
    chosen = {
        "guard_ms": 120,
        "best_passage": True,
        "theme": "contrast-dark",
        "zoom": 1.25,
        "decimals": 3,
        "measures": MEASURES,
    }
    for name, value in {
        **chosen,
        "hand": "left",
        "language": "zh_CN",
        "keys": {"skip": "K"},
        "grade_keys": {"2": "W"},
    }.items():
        settings.set(name, value)
    settings.add_name("ann")
    settings.store_own_terms(Path("harbour.irjudge"), "Zürich", ("crane", "Überseekai"))
    del settings  # writes the file
    names = (
        "guard_ms",
        "idle_s",
        "best_passage",
        "theme",
        "zoom",
        "decimals",
        "measures",
        "hand",
        "language",
        "keys",
        "grade_keys",
    )
    read = Settings(path)
    return {
        **{name: read.get(name) for name in names},
        "names": read.names(),
        "own_words": read.own_terms(Path("harbour.irjudge")),
    }


def make_norming(path: Path) -> dict[str, Any]:
    """Create a session with a closed norming round and an open one, half judged."""
    build_class(path, topics=("051", "007"), documents=6)
    with open_project(path, writing=False) as project:
        scale = project.scale.version
    with run_server(
        path, SessionOptions(SchedulingOptions(overlap=2), norming=Norming(names=True))
    ) as server:
        people = [Person(server, f"Person {number}") for number in range(4)]
        for number, person in enumerate(people):
            person.client = f"{number}a" * 16
        server.ask("round", count=5)
        for number, person in enumerate(people):
            count = 5 if number < 3 else 4
            grade_in_session(
                person, scale, count, lambda document, shift=number: (document + shift) % 4
            )
        server.ask("close")
        grade_late(people[3], scale)
        server.ask("round", documents="same", count=5)
        for person in people[:2]:
            grade_in_session(person, scale, 3, lambda document: document % 4)
        tokens = [person.token for person in people]
    work = Path(shutil.copy(path, path.with_name("work.irjudge")))
    with run_server(work) as server:
        saved = [len(return_to(server, token).call("/welcome", {})["actions"]) for token in tokens]
        for number, token in enumerate(tokens):
            person = return_to(server, token, client=f"{number}b" * 16)
            grade_in_session(person, scale, 5, lambda document: document % 4)
        server.ask("close")
    expected = {"tokens": tokens, "saved": saved, "before": look(path), "rounds": rounds_of(work)}
    work.unlink()
    return expected


def grade_late(person: Person, scale: str) -> None:
    """Judge the item that a participant still has on the page after the round was closed."""
    (place,) = (place for place in person.open_places() if place not in person.judged)
    person.grade(place, 2, scale)
    person.sync(want=0)


def return_to(server: Any, token: str, client: str = "ff" * 16) -> Person:
    """Return a participant who opens the page again."""
    person = Person.__new__(Person)
    person.port, person.name, person.token = server.port, "", token
    person.open()
    person.client = client
    return person


def rounds_of(path: Path) -> list[Any]:
    """Return the result of each round: participants, documents, agreement."""
    with open_project(path, writing=False) as project:
        (session,) = list_norming_sessions(project)
        return [
            [
                each.number,
                each.participants,
                sorted(
                    [*document.pair, document.is_split, document.votes]
                    for document in each.documents
                ),
                each.value("alpha", "ordinal").value,
            ]
            for each in session.rounds
        ]


PARTICIPANTS = ("5f0a61c2e9d34b7f8a90c1d2", "5f0a61c2e9d34b7f8a90c1d3")  # as Prolific makes ids


def make_crowd(path: Path) -> dict[str, Any]:
    """Create a session of a crowd panel: one participant is done, another judged two of four."""
    build_class(path, topics=("051", "007"), documents=6)
    with open_project(path, writing=False) as project:
        scale = project.scale.version
    panel = load_panel("prolific", "C123", "", each=4, checks="")
    with run_server(path, SessionOptions(SchedulingOptions(overlap=1), panel=panel)) as server:
        tokens = []
        for count, name in zip((4, 2), PARTICIPANTS, strict=True):
            given = {"PROLIFIC_PID": name, "STUDY_ID": "s", "SESSION_ID": "x"}
            join = {"protocol": 1, "code": server.code, "panel": given}
            tokens.append(send_request(server.port, "/join", join).json["token"])
            person = return_to(server, tokens[-1], client=name[-2:] * 16)
            grade_in_session(person, scale, count, lambda document: document % 4)
    return {"tokens": tokens, "before": look(path)}


def make_browser(folder: Path) -> dict[str, Any]:
    """Create a project, a task file and a browser result, both incomplete."""
    path, tasks = folder / "browser.irjudge", folder / "tasks-of-browser"
    build_class(path)
    with open_project(path) as project:
        project.set_setting(SIDE_KEY, "cd" * 32)
        wish = AssignmentOptions(overlap=2, gold=2, repeats=1, seed=5)
        assign_pool(project, [Candidate("ann"), Candidate("bob")], wish, tasks)
    judge(tasks / "ann.irtask", 60, 9)
    page: Browser = open_page(tasks / "bob.irtask")
    for place in range(7):
        page.grade(place, place % 4)
    page.undo(3, page.grade(3, 0))
    page.act("note", 2, {"text": "“quoted” \u2028"})
    page.act("unjudgeable", 7, {"reason": "spam", "active_ms": 7})
    page.save(folder / "bob.result.json")
    shutil.copy(tasks / "ann.irtask", folder / "ann.irtask")
    (folder / "bob.task.json").write_text(
        json.dumps(page.task, ensure_ascii=False), encoding="utf-8"
    )
    work = Path(shutil.copy(path, folder / "work.irjudge"))
    with open_project(work) as project:
        merge_files(
            project, [folder / "ann.irtask", folder / "bob.result.json"], clock=ticking(600)
        )
    expected = look(work)
    work.unlink()
    shutil.rmtree(tasks)
    return expected


def command(*arguments: object) -> None:
    """Run a command of the release."""
    if code := run_command([str(each) for each in arguments]):
        raise SystemExit(code)


def make_evaluated(folder: Path) -> dict[str, Any]:
    """Create a project with a stored evaluation and half of a model's replies."""
    path, prompts = folder / "evaluated.irjudge", folder / "prompts"
    build_class(path)
    command("evaluate", path, "--keep", "nightly", "-m", "AP", "-m", "nDCG@10", "--source", "truth")
    command("ask", path, "--allow")
    command("ask", path, "--model", "small", "--write-prompts", prompts)
    answer_prompts(prompts, 0, 20)
    command("ask", path, "--model", "small", "--read-answers", prompts)
    (kept,) = stored_evaluations(open_project(path, writing=False))
    before = look(path)
    work = folder / "work"
    work.mkdir()
    for each in (path, make_answers_path(path)):
        shutil.copy(each, work / each.name)
    shutil.copytree(prompts, work / "prompts")
    answer_prompts(work / "prompts", 20, 40)
    copied = work / path.name
    with open_project(copied) as project, AnswerFile(make_answers_path(copied), copied) as answers:
        import_answer_files(project, work / "prompts", answers)
    after = model_grades(copied)
    shutil.rmtree(work)
    return {"before": before, "kept": values_of(kept.runs), "grades": after}


def model_grades(path: Path) -> list[list[Any]]:
    """Return the topic, document and grade of each label of the model."""
    with open_project(path, writing=False) as project:
        return sorted(
            [each.item.topic, each.item.documents[0], each.payload.get("value")]
            for each in get_ledger(project, "small").judgments()
        )


def values_of(runs: Any) -> dict[str, Any]:
    """Return the values of stored runs by name: topics and, by measure, values."""
    return {run.run: [list(run.topics), run.values.tolist()] for run in runs}


def make_converted(folder: Path) -> dict[str, Any]:
    """Create qrels, a run as text and in columns, and an evaluation stored with the qrels."""
    qrels, run, converted = folder / "qrels.txt", folder / "bm25.run", folder / "converted"
    names = [(topic, number) for topic in TOPICS for number in range(60)]
    qrels.write_text(
        "".join(
            f"{topic} 0 {topic}-{number} {number * number % 7 % 4}\n" for topic, number in names
        ),
        encoding="utf-8",
    )
    run.write_text(
        "".join(
            f"{topic} Q0 {topic}-{number * (7 + len(topic)) % 60} {number + 1} {30 - number // 3 / 7} bm25\n"
            for topic, number in names
        ),
        encoding="utf-8",
    )
    command("convert", run, "-o", converted)
    command("evaluate", qrels, converted, "--keep", "nightly", "-m", "AP", "-m", "nDCG@10")
    frame = release.evaluate(qrels, [converted], ["AP", "nDCG@10", "P@5"], per_topic=True)
    return {"values": frame.to_numpy().tolist()}


def make(folder: Path) -> dict[str, Any]:
    """Create all files in a folder and return the values that this release computes from them."""
    project, back, tasks = folder / "handed-out.irjudge", folder / "returned", folder / "tasks"
    build(project, folder / "truth.qrels")
    own_work(project)
    hand_out(project, tasks)
    returned(tasks, back)
    expected: dict[str, Any] = {
        "settings": keep_settings(folder / "irjudge.ini"),
        "handed-out.irjudge": look(project),
    }
    merged = Path(shutil.copy(project, folder / "merged.irjudge"))
    with open_project(merged) as opened:
        merge_files(opened, sorted(back.iterdir()), clock=ticking(600))
    expected["returned"] = look(merged)
    settle(merged)
    expected["merged.irjudge"] = look(merged)
    for name, task in (
        ("half-done.irtask", "bob"),
        ("half-compared.irtask", "pat"),
        ("pairs.irtask", "pat-2"),
    ):
        shutil.copy(tasks / f"{task}.irtask", folder / name)
    work = folder / "work"
    work.mkdir()
    kinds = {
        "merged.irjudge": "all",
        "half-done.irtask": "grade",
        "half-compared.irtask": "compare",
        "pairs.irtask": "compare",
    }
    expected["written"] = {
        name: go_on(Path(shutil.copy(folder / name, work / name)), kind)
        for name, kind in kinds.items()
    }
    with open_project(work / "merged.irjudge") as complete:
        merge_files(
            complete,
            [work / name for name in kinds if name.endswith(".irtask")],
            clock=ticking(900),
        )
    expected["complete"] = look(work / "merged.irjudge")
    for part in (work, tasks, folder / "truth.qrels"):
        shutil.rmtree(part) if part.is_dir() else part.unlink()
    expected["norming"] = make_norming(folder / "norming.irjudge")
    expected["crowd"] = make_crowd(folder / "crowd.irjudge")
    expected["browser"] = make_browser(folder)
    expected["evaluated"] = make_evaluated(folder)
    expected["converted"] = make_converted(folder)
    for stray in (*folder.glob("*.before-merge-*"), *folder.glob("*.lock")):
        stray.unlink()
    return expected


def main() -> None:
    """Write FOLDER.zip with the files and FOLDER.json with the values of the release."""
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        expected = make(Path(name))
        shutil.make_archive(str(target), "zip", name)
    target.with_suffix(".json").write_text(
        json.dumps(expected, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
