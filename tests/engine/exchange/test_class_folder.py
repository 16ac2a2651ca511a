"""Tests of importing a class's folder: topics, runs, pool, and an assignment per account."""

import json
import random
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError
from irjudge.exchange import classify_dropped_files, create_class_project, read_class_folder
from irjudge.store import open_project
from tests.engine.exchange.browser_results import open_page
from tests.engine.exchange.classroom import judge_file
from tests.lengths import short_or_long


def make_folder(folder: Path) -> Path:
    """Write a folder with the structure of TIRA's teaching repositories."""
    (folder / "runs" / "bm25").mkdir(parents=True)
    corpus = [
        {"doc_id": f"a{n}", "segments": [], "default_text": f"Text {n}.", "title": f"Title {n}"}
        for n in range(1, 5)
    ]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in corpus))
    (folder / "topics.csv").write_text(
        'query,description,narrative,qid\ntides,"What causes tides, and when?",Causes,1\nwind,,,2\n'
    )
    (folder / "topics-old.xml").write_text(
        '<topic number="1"><title>old</title></topic>\n<topic number="2"><title>w</title></topic>'
    )
    (folder / "judgment-pool.json").write_text('{"1": ["a1", "a3", "a1"], "2": ["a2", "a4"]}')
    (folder / "topic-mapping.jsonl").write_text(
        '{"account": "ir-01", "topics": ["1"]}\n{"account": "ir-02", "topics": [1, "2"]}\n'
    )
    (folder / "labels.json").write_text(
        json.dumps(
            [
                {"id": n, "text": text, "backgroundColor": "#fff", "suffixKey": None}
                for n, text in enumerate(("Irrelevant (0)", "Related (1)", "Spam (-2)"))
            ]
        )
    )
    (folder / "manual.csv").write_text("qid,doc_id,label\n1,a1,1\n1,a3,0\n2,a2,1\n")
    (folder / "runs" / "bm25" / "run.txt").write_text(
        "1 Q0 a1 1 2 x\n1 Q0 a3 2 1 x\n2 Q0 a2 1 2 x\n"
    )
    (folder / "runs" / "bm25" / "ir-metadata.yml").write_text("tag: bm25-title\n")
    (folder / "README.md").write_text("About the class.\n")
    return folder


def test_each_file_is_recognised_by_its_content(tmp_path: Path):
    class_folder = read_class_folder(make_folder(tmp_path / "class"))
    assert [each.name for each in class_folder.topics] == ["topics.csv", "topics-old.xml"]
    assert [
        each.name for each in class_folder.documents + class_folder.qrels + class_folder.runs
    ] == [
        "corpus.jsonl",
        "manual.csv",
        "bm25",
    ]
    assert class_folder.pool == {"1": ["a1", "a3", "a1"], "2": ["a2", "a4"]}
    assert class_folder.accounts == {"ir-01": ["1"], "ir-02": ["1", "2"]}
    assert class_folder.scale is not None
    assert [(each.value, each.label) for each in class_folder.scale.grades] == [
        (0, "Irrelevant"),
        (1, "Related"),
    ]
    assert [each.name for each in class_folder.unrecognised_files] == ["README.md"]


def test_a_topic_that_an_account_names_twice_is_assigned_once(tmp_path: Path):
    folder = make_folder(tmp_path / "class")
    (folder / "topic-mapping.jsonl").write_text(
        '{"account": "ir-01", "topics": ["1", 1]}\n{"account": "ir-01", "topics": ["1"]}\n'
    )
    assert read_class_folder(folder).accounts == {"ir-01": ["1"]}
    made = create_class_project(tmp_path / "c.irjudge", folder)
    assert [(each.assessor, each.items) for each in made.assignment_report.files] == [("ir-01", 2)]


def test_accounts_without_pooled_documents_are_reported(tmp_path: Path):
    folder = make_folder(tmp_path / "class")
    (folder / "judgment-pool.json").write_text('{"2": ["a2", "a4"]}')
    for number in range(2):  # with a pool that has only topic 2, then without a pool
        made = create_class_project(tmp_path / f"{number}.irjudge", folder)
        (idle,) = [each for each in made.import_report.warnings if each.key == "idle-accounts"]
        assert idle.all_values["accounts"] == ("ir-01", "ir-01, ir-02")[number]
        (folder / "judgment-pool.json").unlink(missing_ok=True)


def test_the_project_has_the_content_of_all_files(tmp_path: Path):
    made = create_class_project(tmp_path / "c.irjudge", make_folder(tmp_path / "class"))
    assert [(each.assessor, each.topics, each.items) for each in made.assignment_report.files] == [
        ("ir-01", 1, 2),
        ("ir-02", 2, 4),
    ]
    assert all(each.path.is_file() for each in made.assignment_report.files)
    with open_project(tmp_path / "c.irjudge", writing=False) as project:
        assert project.collection.document_count() == 4
        assert project.collection.topic_titles() == {"1": "tides", "2": "wind"}
        assert [run.name for run in project.rankings.runs()] == ["bm25-title"]
        pool = project.rankings.pool()
        assert pool is not None and pool.document.to_pylist() == ["a1", "a3", "a2", "a4"]
        assert project.scale.values == (0, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("topic-mapping.jsonl", '{"account": "a", "topics": ["9"]}\n'),
        ("topic-mapping.jsonl", '{"account": "", "topics": ["1"]}\n'),
        ("topic-mapping.jsonl", '{"account": "a", "topics": "1"}\n'),
        ("judgment-pool.json", '{"9": ["a1"]}'),
        ("judgment-pool.json", '{"1": ["a1", "\\ud800"]}'),
        ("judgment-pool.json", '{"1": ["a1", ""]}'),
        ("corpus.jsonl", '{"doc_id": "a1"}\n'),
    ],
)
def test_an_inconsistent_folder_leaves_no_project(tmp_path: Path, name: str, text: str):
    folder = make_folder(tmp_path / "class")
    (folder / name).write_text(text)
    with pytest.raises(IrjudgeError):
        create_class_project(tmp_path / "c.irjudge", folder)
    assert [each.name for each in tmp_path.iterdir()] == ["class"]


@pytest.mark.parametrize("account", ["teacher", "a" * 101, "an\u200bn", "owner"])
def test_an_account_with_the_owners_name_or_an_invalid_name_is_refused(
    tmp_path: Path, account: str
):
    folder = make_folder(tmp_path / "class")
    accounts = [{"account": "ir-01", "topics": ["1"]}, {"account": account, "topics": ["2"]}]
    (folder / "topic-mapping.jsonl").write_text("".join(json.dumps(x) + "\n" for x in accounts))
    with pytest.raises(
        IrjudgeError, match=account[:100] if account.isprintable() else "not a valid"
    ):
        create_class_project(tmp_path / "c.irjudge", folder, owner="teacher")
    assert [each.name for each in tmp_path.iterdir()] == ["class"]


def test_half_a_surrogate_pair_in_a_document_is_replaced(tmp_path: Path):
    folder = make_folder(tmp_path / "class")
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write('{"doc_id": "a5", "default_text": "cut \\ud83d"}\n')
    create_class_project(tmp_path / "c.irjudge", folder)
    with open_project(tmp_path / "c.irjudge") as project:
        document = project.collection.document("a5")
    assert document is not None and document.body == "cut \N{REPLACEMENT CHARACTER}".encode()


def test_ids_in_a_pool_have_no_spaces_at_their_ends(tmp_path: Path):
    folder = make_folder(tmp_path / "class")
    (folder / "judgment-pool.json").write_text('{"1": ["a1 ", " a3"]}')
    assert read_class_folder(folder).pool == {"1": ["a1", "a3"]}


def test_a_dropped_folder_is_expanded_to_its_files(tmp_path: Path):
    folder = make_folder(tmp_path / "class")
    dropped = classify_dropped_files([folder])
    assert dropped.class_folder is not None and dropped.class_folder.pool
    kinds = dropped.kinds
    assert {kind: [each.name for each in files] for kind, files in kinds.items()} == {
        "topics": ["topics.csv", "topics-old.xml"],
        "documents": ["corpus.jsonl"],
        "runs": ["bm25"],
        "qrels": ["manual.csv"],
    }
    (tmp_path / "texts").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "texts" / name).write_text("Some words.\n")
    dropped = classify_dropped_files([tmp_path / "texts"])
    assert dropped.kinds == {"documents": (tmp_path / "texts",)} and dropped.class_folder is None


def test_an_empty_folder_and_a_file_are_refused(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "empty", tmp_path / "file", tmp_path / "missing"):
        with pytest.raises(FormatError):
            read_class_folder(path)


def test_the_command_needs_only_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = str(make_folder(tmp_path / "class"))
    project = str(tmp_path / "c.irjudge")
    assert main(["new", project, "--folder", folder, "--runs", folder]) == 2
    assert main(["new", project, "--folder", folder, "--scale", "0-3"]) == 0
    with open_project(tmp_path / "c.irjudge", writing=False) as opened_project:
        assert opened_project.scale.highest == 3
    assert "ir-02.irtask" in capsys.readouterr().out


def tamper(folder: Path, chance: random.Random) -> None:
    """Change random bytes in one to three files of a folder."""
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    for path in chance.choices(files, k=chance.randint(1, 3)):
        content = path.read_bytes()
        start = chance.randint(0, len(content))
        put = chance.choice([b"", b"{", b"]", b'"', b"\0", b"\xff\xfe", b"null", b"\n", b"9" * 400])
        path.write_bytes(content[:start] + put + content[start + chance.choice((0, 1, 9, 99)) :])


@pytest.mark.parametrize(
    "count", [pytest.param(short_or_long(30, 300), marks=pytest.mark.slow), 12]
)
def test_tampered_folders_give_one_sentence_or_a_project(tmp_path: Path, count: int):
    chance = random.Random(4711)
    for number in range(count):
        folder = make_folder(tmp_path / f"{number}" / "class")
        tamper(folder, chance)
        path = tmp_path / f"{number}" / "c.irjudge"
        try:
            create_class_project(path, folder)
        except IrjudgeError as error:
            assert str(error) and not path.exists()
        else:
            assert path.exists()


@pytest.mark.slow
def test_a_complete_semester(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Folder, assignments, judging in a file and in a page, agreement, evaluation, workbook."""
    folder, project = str(make_folder(tmp_path / "class")), str(tmp_path / "c.irjudge")
    assert main(["new", project, "--folder", folder]) == 0
    tasks = sorted((tmp_path / "c-assignments").glob("*.irtask"))
    page = open_page(tasks[1])
    for index in range(4):
        page.grade(index, index % 2)
    (tmp_path / "ir-02.json").write_text(page.result())
    judge_file(tasks[0], limit=1)
    assert main(["merge", project, str(tasks[0]), str(tmp_path / "ir-02.json")]) == 0
    capsys.readouterr()
    assert main(["status", project, "-f", "csv"]) == 0
    judged = [line.split(",")[:3] for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[2] for row in judged if row[1] == "all"] == ["1", "4"]
    assert main(["agreement", project, "-s", "raw-agreement"]) == 0
    assert main(["evaluate", project, "-m", "nDCG@10", "--source", "manual", "-f", "csv"]) == 0
    assert "bm25-title,nDCG@10,all,1.0" in capsys.readouterr().out
    assert main(["evaluate", project, "-m", "AP"]) == 0
    assert main(["report", project, "-m", "AP", "-o", str(tmp_path / "class.xlsx")]) == 0
    assert (tmp_path / "class.xlsx").stat().st_size > 5000
