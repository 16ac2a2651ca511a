"""A class of thirty assessors, three per document: careful, hasty, a spammer, and one who quits."""

import csv
import io
import shutil
import sqlite3
from collections import defaultdict
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

from irjudge.cli.main import main
from irjudge.judging import Session, project_labels, read_assigned_gold, submit_work
from irjudge.model import Document, Scale, Topic, make_qrels, make_run
from irjudge.stats.consensus import consensus
from irjudge.store import create_project, open_project

# per topic: pooled documents, and gold documents
TOPICS = 12
DOCUMENTS = 20
GOLD = 6
ASSESSORS = tuple(f"student {number:02}" for number in range(1, 31))
SPAMMER, QUITTER = "student 07", "student 19"
HASTY = frozenset(ASSESSORS[20:])
TWICE, CUT, OLD, TAMPERED = ("student 01", "student 02"), "student 03", "student 04", "student 05"


def reproducible_random(*words: object) -> float:
    """Return a number from 0 to 1 that is the same on every machine."""
    return int.from_bytes(blake2b(repr(words).encode(), digest_size=6).digest(), "big") / 2**48


def true_grade(topic: str, document: str) -> int:
    return int(4 * reproducible_random("truth", topic, document) ** 2)


def simulated_grade(assessor: str, topic: str, document: str, occurrence: int) -> int:
    """Return an assessor's grade: the careful are right in 90 %, the hasty in 60 % of cases."""
    if assessor == SPAMMER:
        return 3
    right = true_grade(topic, document)
    if reproducible_random("right", assessor, topic, document, occurrence) < (
        0.6 if assessor in HASTY else 0.9
    ):
        return right
    return min(
        3,
        max(0, right + (1 if reproducible_random("side", assessor, topic, document) < 0.5 else -1)),
    )


def make_project(path: Path) -> None:
    with create_project(path, scale=Scale.parse("0-3"), title="Course", owner="teacher") as project:
        # the assignment determines how informative thirty labels of each are
        project.set_setting("seed", "3")
        topics = [f"{number:03}" for number in range(TOPICS)]
        names = {
            topic: [f"t{topic}d{number:02}" for number in range(DOCUMENTS + GOLD)]
            for topic in topics
        }
        project.collection.add_topics(
            Topic(topic, f"question {topic}", f"what {topic} means") for topic in topics
        )
        project.collection.add_documents(
            Document(name, f"{name} {'word ' * (5 + int(60 * reproducible_random(name)))}".encode())
            for topic in topics
            for name in names[topic]
        )
        for run, weight in (("bm25plus", 2.0), ("shuffler", 0.2)):
            rows = [
                (
                    topic,
                    name,
                    weight * true_grade(topic, name) + reproducible_random(run, topic, name),
                )
                for topic in topics
                for name in names[topic][:DOCUMENTS]
            ]
            project.rankings.add_run(make_run(run, rows), f"{run}.run")
        known = [
            (topic, name, true_grade(topic, name))
            for topic in topics
            for name in names[topic][DOCUMENTS:]
        ]
        project.rankings.add_qrels("known", make_qrels(known))


def judge_file(path: Path, limit: int | None = None) -> int:
    """Judge a file as its assessor would, and submit it unless they quit."""
    clock = iter(range(10**6))
    with open_project(path) as task:
        session = Session(
            task,
            clock=lambda: f"2026-03-02T09:{(second := next(clock)) // 60:02}:{second % 60:02}.000Z",
        )
        with task.transaction():  # one commit for all, since durability has its own tests
            while (work := session.current()) and (limit is None or session.count().judged < limit):
                grade = simulated_grade(
                    session.assessor, work.topic.id, work.document.id, work.occurrence
                )
                seconds = 1 if session.assessor == SPAMMER else 4 + len(work.document.body) / 40
                session.grade(
                    work,
                    grade,
                    active_ms=round(1000 * seconds * (0.5 if session.assessor in HASTY else 1)),
                )
                session.advance()
        if limit is None:
            submit_work(session)
        return session.count().judged


def tamper_with(path: Path) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute("DROP TRIGGER event_stays")
        database.execute(
            """UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '"active_ms":', '"active_ms":1') AS BLOB) WHERE sequence = 9"""
        )
    database.close()


def downgrade(path: Path) -> None:
    """Convert a file to the previous version of the file format."""
    database = sqlite3.connect(path)
    tables = (
        "assignment_item",
        "assignment_secret",
        "assignment",
        "assignment_round",
        "assessor",
        "returned_file",
        "waiting_event",
    )
    for table in (*tables, "seal"):
        database.execute(f"DROP TABLE {table}")
    for column in ("stratum", "probability", "undrawn", "undrawn_stratum"):
        database.execute(f"ALTER TABLE pool_topic DROP COLUMN {column}")
    database.execute("PRAGMA user_version = 1")
    database.commit()
    database.close()


class Classroom:
    """The project after merging, and what the commands printed."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.project, self._capsys = folder / "course.irjudge", capsys
        make_project(self.project)
        self.run("pool", self.project, "--depth", DOCUMENTS)
        names = folder / "class.csv"
        names.write_text(
            "name,email\n"
            + "".join(f"{name},{name.replace(' ', '')}@example.org\n" for name in ASSESSORS)
        )
        words = (
            "--assessors",
            names,
            "--overlap",
            3,
            "--gold",
            "5%",
            "--repeats",
            1,
            "--deadline",
            "2026-03-20",
        )
        self.files = {
            row["assessor"]: Path(row["file"])
            for row in self.table("assign", self.project, *words, "-o", folder / "out")
        }
        self.folder = folder

    def run(self, *words: object, code: int = 0) -> tuple[str, str]:
        self._capsys.readouterr()
        assert main([str(word) for word in words]) == code
        output = self._capsys.readouterr()
        return output.out, output.err

    def table(self, *words: object, code: int = 0) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.run(*words, "--format", "csv", code=code)[0])))

    def judge(self) -> None:
        self.judged = {
            name: judge_file(path, limit=8 if name == QUITTER else None)
            for name, path in self.files.items()
        }

    def return_files(self) -> list[Path]:
        """Return the files that the organiser receives, some of them damaged or duplicated."""
        copies = [
            Path(shutil.copy(self.files[name], self.folder / f"{name} (1).irtask"))
            for name in TWICE
        ]
        data = self.files[CUT].read_bytes()
        self.files[CUT].write_bytes(data[: int(len(data) * 0.93)])
        downgrade(self.files[OLD])
        tamper_with(self.files[TAMPERED])
        return [*copies, *self.files.values()]


@pytest.fixture
def classroom(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Classroom:
    return Classroom(tmp_path, capsys)


def test_a_class_is_assigned_judged_merged_and_every_judgment_accounted_for(
    classroom: Classroom,
) -> None:
    for path in classroom.files.values():
        raw = path.read_bytes()
        assert not [
            word for word in (b"bm25plus", b"shuffler", b"known", b"teacher") if word in raw
        ]
    loads = {
        int(row["assigned"])
        for row in classroom.table("status", classroom.project, "--show", "files")
    }
    assert len(classroom.files) == 30 and loads == {
        27
    }  # 12 x 20 x 3 / 30, two gold documents and one repeated
    classroom.judge()
    # two are incomplete
    sheets = classroom.table("merge", classroom.project, *classroom.return_files(), code=2)
    parts = ("new", "identical", "superseded", "waiting", "rejected")
    assert all(int(sheet["read"]) == sum(int(sheet[part]) for part in parts) for sheet in sheets)
    by_file = {sheet["file"]: sheet for sheet in sheets}
    check_merged(classroom, by_file)
    check_repeated_merge(classroom)
    check_status(classroom)


def check_merged(classroom: Classroom, sheets: dict[str, dict[str, str]]) -> None:
    """Check that all judgments are merged once, and those after the tampered one are pending."""
    for name, path in classroom.files.items():
        sheet, count = sheets[path.name], str(classroom.judged[name])
        if name in TWICE:
            assert (sheet["identical"], sheets[f"{name} (1).irtask"]["new"]) == (count, count)
        elif name == TAMPERED:
            assert (sheet["new"], sheet["rejected"], int(sheet["waiting"])) == (
                "8",
                "1",
                classroom.judged[name] - 9,
            )
        elif name != CUT:
            assert (sheet["read"], sheet["new"]) == (count, count), name
    assert int(sheets[classroom.files[CUT].name]["new"]) <= classroom.judged[CUT]


def check_repeated_merge(classroom: Classroom) -> None:
    """Check that merging again changes nothing, and the incomplete files are named with reasons."""
    (_, words) = classroom.run("merge", classroom.project, *classroom.files.values(), code=2)
    lines = words.splitlines()
    tampered = [line for line in lines if line.startswith(f"{classroom.files[TAMPERED].name}: ")]
    assert [line for line in tampered if "event 9" in line]
    assert [line for line in lines if line.startswith(f"{classroom.files[CUT].name} is truncated")]
    assert [line for line in lines if line.startswith(f"{classroom.files[QUITTER].name}: ")]
    sound = [name for name in ASSESSORS if name not in (TAMPERED, CUT, QUITTER)]
    assert not [
        line for line in lines if any(line.startswith(classroom.files[name].name) for name in sound)
    ]
    assert classroom.run("verify", classroom.project)[0].startswith("Valid: ")


def check_status(classroom: Classroom) -> None:
    rows = {
        row["assessor"]: row
        for row in classroom.table("status", classroom.project, "--show", "files")
    }
    assert (
        rows[QUITTER]["state"] == "begun"
        and rows[SPAMMER]["state"] == "returned"
        and rows[SPAMMER]["handed_in"]
    )
    totals = {
        row["assessor"]: row
        for row in classroom.table("status", classroom.project)
        if row["topic"] == "all"
    }
    assert totals[QUITTER]["judged"] == "8" and float(totals[SPAMMER]["median_seconds"]) == 1.0
    plans = classroom.table("status", classroom.project, "--what-if", "assessors=+1")
    assert [plan["plan"] for plan in plans] == ["as it is", "assessors=+1"] and float(
        plans[0]["hours"]
    ) > 0
    left = int(totals[QUITTER]["left"])
    made = classroom.table(
        "assign", classroom.project, "--instead-of", QUITTER, "-o", classroom.folder / "rest"
    )
    assert 0 < sum(int(row["items"]) for row in made) <= left and QUITTER not in {
        row["assessor"] for row in made
    }


def test_consensus_is_nearer_to_the_truth_than_the_majority_and_the_spammer_is_detected(
    classroom: Classroom,
) -> None:
    classroom.judge()
    classroom.run("merge", classroom.project, *classroom.files.values())
    with open_project(classroom.project, writing=False) as project:
        known = read_assigned_gold(project)
        labels, answers = project_labels(project, gold=known), known.answers
    right = {}
    for method in (
        "majority",
        "one-coin",
    ):  # the model with the fewest parameters, for some thirty labels of each assessor
        result = consensus(labels, method)
        grades = zip(
            (int(labels.scale[code]) for code in result.label.tolist()), labels.pairs, strict=True
        )
        open_ = [grade == true_grade(*pair) for grade, pair in grades if pair not in answers]
        right[method] = sum(open_) / len(open_)
    accuracies = np.einsum("wkk,k->w", result.model.tables, result.model.prior)
    accuracy = dict(zip(labels.workers, accuracies.tolist(), strict=True))
    assert min(accuracy, key=lambda name: accuracy[name]) == SPAMMER
    assert right["one-coin"] > right["majority"] > 0.9
    shares = defaultdict(list)
    for item, worker, label in zip(
        labels.item.tolist(), labels.worker.tolist(), labels.label.tolist(), strict=True
    ):
        shares[labels.workers[worker]].append(
            int(labels.scale[label]) == true_grade(*labels.pairs[item])
        )
    worst = min(shares, key=lambda name: sum(shares[name]) / len(shares[name]))
    assert worst == SPAMMER
    assert classroom.run("exclude", classroom.project, SPAMMER)[0].startswith(
        f"{SPAMMER} is excluded"
    )
