"""Tests of `irjudge agreement` and `irjudge consensus`: output, files, and errors."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from irjudge.audit import AgreementRequest, measure_agreement
from irjudge.cli import judgments
from irjudge.cli.main import main
from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge.formats.rankings import read_qrels
from irjudge.judging import (
    AdjudicationRecorder,
    QueueItem,
    Session,
    find_disputes,
    read_consensus_method,
)
from irjudge.model import Event, Item, make_qrels
from irjudge.store import Project, open_project
from tests.engine.cli.output import command_error, find_line, numbers

LABELS = "item,worker,label\nd1,ann,2\nd1,bob,2\nd1,cem,0\nd2,ann,1\nd2,bob,0\nd3,ann,0\n"
TOPICS = (
    "topic,document,assessor,grade\n1,d1,ann,1\n1,d2,ann,0\n1,d1,bob,0\n1,d2,bob,1\n1,d3,bob,-2\n"
)
AGREEMENT = "statistic,scale,used,total,value,reason,low,high".split(",")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("labels.csv").write_text(LABELS)
    Path("topics.csv").write_text(TOPICS)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def table(result: tuple[int, str, str]) -> list[dict[str, str]]:
    code, out, err = result
    assert code == 0, err
    return list(csv.DictReader(io.StringIO(out)))


def test_agreement_prints_the_expected_columns(run) -> None:
    rows = table(run("agreement", "labels.csv", "--format", "csv"))
    assert list(rows[0]) == AGREEMENT
    first = rows[0]
    # d1: one of three pairs of labels agrees; d2: none; d3 has one label.
    assert (first["statistic"], first["used"], first["total"], round(float(first["value"]), 4)) == (
        "raw-agreement",
        "2",
        "3",
        0.1667,
    )
    code, out, err = run("agreement", "labels.csv", "--format", "json", "-s", "fleiss-kappa")
    [fleiss] = json.loads(out)["values"]
    assert (code, fleiss["value"], fleiss["low"]) == (
        0,
        None,
        None,
    ) and fleiss["reason"]
    assert numbers(err) == ["6", "3", "3", "2", "4"]


@pytest.mark.parametrize("what", ["pairs", "grades"])
def test_parts_are_named_in_a_last_column(run, what: str) -> None:
    rows = table(run("agreement", "labels.csv", "--show", what, "--format", "csv"))
    assert list(rows[0]) == [*AGREEMENT, "of"]
    assert {row["of"] for row in rows} == (
        {"ann / bob", "ann / cem", "bob / cem"} if what == "pairs" else {"0", "1", "2"}
    )


def test_agreement_by_topic_needs_topics(run) -> None:
    rows = table(
        run("agreement", "topics.csv", "--show", "topics", "-s", "raw-agreement", "--format", "csv")
    )
    assert [(row["of"], row["value"], row["used"], row["total"]) for row in rows] == [
        ("1", "0.0", "2", "3")
    ]


def test_unjudgeable_labels_are_counted(run) -> None:
    assert ": 1 label" in run("agreement", "topics.csv")[2]


def test_assessors_are_listed_best_first(run) -> None:
    rows = table(run("agreement", "labels.csv", "--show", "assessors", "--format", "csv"))
    assert {row["assessor"] for row in rows} == {"ann", "bob", "cem"}
    worth = [float(row["quality"]) for row in rows]
    assert worth == sorted(worth, reverse=True)
    Path("gold.csv").write_text("item,truth\nd1,2\nd3,1\n")
    rows = table(
        run(
            "agreement",
            "labels.csv",
            "--show",
            "assessors",
            "--gold",
            "gold.csv",
            "--format",
            "csv",
        )
    )
    assert {row["assessor"]: (row["gold"], row["right"], row["accuracy"]) for row in rows} == {
        "ann": ("2", "1", "0.5"),
        "bob": ("1", "1", "1.0"),
        "cem": ("1", "0", "0.0"),
    }


def test_systems_are_ordered_under_each_assessor(run) -> None:
    for name, documents in (("x", "d1 d2"), ("y", "d2 d1")):
        Path(f"{name}.run").write_text(
            "".join(
                f"1 Q0 {each} {at} {-at} {name}\n" for at, each in enumerate(documents.split(), 1)
            )
        )
    output = run(
        "agreement",
        "topics.csv",
        "--show",
        "systems",
        "--runs",
        "x.run",
        "y.run",
        "-m",
        "RR",
        "--format",
        "csv",
    )
    rows = table(output)
    assert (
        rows[0]["statistic"],
        rows[0]["scale"],
        rows[0]["used"],
        rows[0]["value"],
        rows[0]["of"],
    ) == (
        "tau",
        "RR",
        "2",
        "-1.0",
        "ann / bob",
    )
    assert len(rows) == 9 and "get the majority" in output[2] and "2; at least 5" in output[2]
    code, _, err = run("agreement", "topics.csv", "--show", "systems")
    assert code == 2 and "given with --runs" in err


def test_names_of_assessors_may_contain_brackets(tmp_path: Path) -> None:
    labels, runs = tmp_path / "labels.csv", [tmp_path / "x.run", tmp_path / "y.run"]
    labels.write_text(
        "topic,document,assessor,grade\n1,d1,ann [2],1\n1,d2,ann [2],0\n1,d1,bob,0\n1,d2,bob,1\n"
    )
    runs[0].write_text("1 Q0 d1 1 2 x\n1 Q0 d2 2 1 x\n")
    runs[1].write_text("1 Q0 d2 1 2 y\n1 Q0 d1 2 1 y\n")
    request = AgreementRequest(table="systems", measures=("AP",), runs=tuple(runs))
    result = measure_agreement(labels, request)
    scale, of = result.columns.index("scale"), result.columns.index("of")
    assert {(row[scale], row[of]) for row in result.rows} == {
        ("AP", "ann [2] / bob"),
        ("AP", "ann [2] / consensus"),
        ("AP", "bob / consensus"),
    }


def test_a_declared_scale_and_columns_are_used(run) -> None:
    Path("mturk.csv").write_text("HITId,WorkerId,Answer\nh1,ann,1\nh1,bob,1\nh2,ann,0\nh2,bob,1\n")
    rows = table(
        run(
            "agreement",
            "mturk.csv",
            "--columns",
            "item=HITId,worker=WorkerId,label=Answer",
            "--scale",
            "0-3",
            "-s",
            "ac1",
            "--format",
            "csv",
        )
    )
    # p = 3/4 and 1/4 of 4 grades: Pe = 2 · 3/16 / 3 = .125, (.5 - .125)/(1 - .125).
    assert float(rows[0]["value"]) == pytest.approx(3 / 7)


def test_an_assessor_can_be_left_out(run) -> None:
    rows = table(
        run(
            "agreement",
            "labels.csv",
            "--leave-out",
            "cem",
            "-s",
            "raw-agreement",
            "--format",
            "csv",
        )
    )
    assert (rows[0]["value"], rows[0]["used"]) == ("0.5", "2")
    code, _, err = run("consensus", "labels.csv", "--leave-out", "zoe")
    assert code == 2 and find_line(err, "'zoe'", "ann, bob, cem")


def test_consensus_prints_the_expected_columns(run) -> None:
    rows = table(run("consensus", "labels.csv", "--format", "csv"))
    result = [(row["item"], row["label"], row["votes"], *numbers(row["reason"])) for row in rows]
    assert result == [
        ("d1", "2", "3", "2", "3", "2"),
        ("d2", "0", "2", "1", "2", "0", "1"),  # a tie names both grades
        ("d3", "0", "1", "1", "1", "0"),
    ]
    assert list(rows[0]) == ["item", "label", "votes", "reason"]
    assert (
        table(run("consensus", "labels.csv", "--method", "mean", "--format", "csv"))[1]["label"]
        == "0.5"
    )
    assert (
        table(run("consensus", "labels.csv", "--ties", "higher", "--format", "csv"))[1]["label"]
        == "1"
    )


def test_a_consensus_of_pairs_has_topic_and_document_in_columns_for_programs(run) -> None:
    Path("pairs.csv").write_text(
        "topic,document,assessor,grade\n1,a b,ann,2\n1,a b,bob,2\n2,c,ann,0\n"
    )
    code, out, _ = run("consensus", "pairs.csv", "--format", "csv")
    assert (code, out.splitlines()[:2]) == (
        0,
        ["item,label,votes,reason,topic,document", "1 a b,2,2,2 of 2 chose 2,1,a b"],
    )
    assert run("consensus", "pairs.csv")[1].split()[:5] == ["item", "label", "votes", "reason", "1"]


def test_truth_may_be_qrels_and_is_checked_before_anything_is_printed(run) -> None:
    Path("pairs.csv").write_text("topic,document,assessor,grade\n1,a,ann,2\n1,a,bob,2\n2,c,ann,0\n")
    Path("truth.qrels").write_text("1 0 a 2\n2 0 c 1\n2 0 d -1\n")
    code, _, err = run("consensus", "pairs.csv", "--truth", "truth.qrels")
    assert code == 0 and numbers(find_line(err, "Majority: ")) == ["0.500", "1", "2"]
    Path("other.qrels").write_text("9 0 z 2\n")
    code, out, err = run("consensus", "pairs.csv", "--truth", "other.qrels")
    assert (code, out) == (2, "") and err.startswith("irjudge: ")
    error = command_error("consensus", "pairs.csv", "--truth", "other.qrels")
    assert error.key == "no-gold-labelled"


def test_a_statistic_of_all_assessors_has_no_pairs_and_an_error_says_so(run) -> None:
    code, out, err = run("agreement", "labels.csv", "--show", "pairs", "-s", "alpha")
    assert (code, out) == (
        2,
        "",
    ) and find_line(err, "alpha ", " raw-agreement, ")


def test_every_method_is_compared_with_the_truth_on_stderr(run) -> None:
    Path("truth.csv").write_text("item,truth\nd1,2\nd2,1\n")
    code, out, err = run("consensus", "labels.csv", "--truth", "truth.csv", "--format", "csv")
    assert code == 0 and out.count("\n") == 4
    assert numbers(find_line(err, "Majority: ")) == ["0.500", "1", "2"]
    assert find_line(err, "Dawid-Skene model: ")


def test_disagreements_show_every_method(run) -> None:
    rows = table(run("consensus", "labels.csv", "--disagreements", "--format", "csv"))
    assert list(rows[0]) == [
        "item",
        "majority",
        "lower-median",
        "mean",
        "one-coin",
        "dawid-skene",
        "glad",
        "mace",
        "votes",
        "weight",
    ]
    assert "d1" in [row["item"] for row in rows] and "d3" not in [row["item"] for row in rows]


def test_disagreements_are_ordered_as_for_adjudication(run, project_file: Path) -> None:
    with open_project(project_file) as project:
        for name, grade in (("bob", 0), ("cleo", 3)):
            session = Session(project, name)
            for document, differs in (("d5", True), ("d0", True), ("d1", False)):
                session.grade(
                    session.open_item(QueueItem("051", document)), grade if differs else 2
                )
            if name == "bob":
                session.grade(session.open_item(QueueItem("051", "d2")), 3)
        seen = [(f"{each.topic} {each.document}", each.weight) for each in find_disputes(project)]
    rows = table(run("consensus", str(project_file), "--disagreements", "--format", "csv"))
    names = [row["item"] for row in rows]
    assert (
        names == [item for item, _ in seen]
        and names[:2] == ["051 d0", "051 d5"]
        and "051 d2" not in names
    )
    assert [float(row["weight"]) for row in rows] == pytest.approx(
        [weight for _, weight in seen], abs=1e-4
    )


def test_qrels_are_written_for_documents_of_topics(run) -> None:
    code, out, err = run("consensus", "topics.csv", "-o", "out.qrels")
    assert (code, out, err) == (0, "", "3 pairs, majority.\n")
    assert list(read_qrels(Path("out.qrels")).rows()) == [
        ("1", "d1", 0),
        ("1", "d2", 0),
        ("1", "d3", -2),
    ]
    code, _, err = run("consensus", "labels.csv", "-o", "other.qrels")
    assert code == 2 and err and not Path("other.qrels").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("consensus", "labels.csv", "--method", "dawidskene"), "Did you mean dawid-skene?"),
        (("agreement", "labels.csv", "-s", "kapa"), "Did you mean kappa?"),
        (("agreement", "none.csv"), "none.csv"),
        (("consensus", "labels.csv", "--scale", "0-1"), " 0, 1."),
    ],
)
def test_invalid_input_gives_an_error_message(
    run, arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "") and sentence in err


def judge_documents(path: Path) -> None:
    with open_project(path) as project:
        for assessor, grades in (("ann", (2, 0)), ("bob", (2, 1)), ("cem", (0, 1))):
            session = Session(project, assessor)
            for document, grade in zip(("d1", "d2"), grades, strict=True):
                session.grade(session.open_item(QueueItem("051", document)), grade)


def test_projects_and_files_give_the_same_output(run, project_file: Path) -> None:
    assert command_error("agreement", project_file).key == "no-judgments"
    judge_documents(project_file)
    rows = table(run("consensus", str(project_file), "--format", "csv"))
    assert [(row["item"], row["label"], row["reason"]) for row in rows] == [
        ("051 d1", "2", "2 of 3 chose 2"),
        ("051 d2", "1", "2 of 3 chose 1"),
    ]
    rows = table(
        run(
            "agreement",
            str(project_file),
            "--leave-out",
            "ann",
            "-s",
            "raw-agreement",
            "--format",
            "csv",
        )
    )
    assert (rows[0]["value"], rows[0]["used"]) == ("0.5", "2")
    code, _, err = run("agreement", str(project_file), "--scale", "binary")
    assert code == 2 and "--scale" in err


def test_excluded_assessors_do_not_count(run, project_file: Path) -> None:
    judge_documents(project_file)
    with open_project(project_file) as project:
        project.assignments.set_exclusion("cem", "too fast")
    rows = table(run("consensus", str(project_file), "--format", "csv"))
    assert [row["votes"] for row in rows] == ["2", "2"]


def test_the_table_of_norming_rounds_is_refused_by_the_service_for_labels() -> None:
    with pytest.raises(ValueError, match="norming rounds"):
        measure_agreement(Path("labels.csv"), AgreementRequest(table="rounds"))


def test_a_project_can_be_written_while_a_stored_method_is_computed(
    run, project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute, writable = judgments.resolve_labels, []

    def check(source: Project, *request: Any, **more: Any) -> Any:
        with open_project(source.path) as project:  # an error while another process is writing
            writable.append(project.writing)
        return compute(source, *request, **more)

    monkeypatch.setattr(judgments, "resolve_labels", check)
    run("consensus", str(project_file), "--method", "lower-median", "--keep")
    assert writable == [True]


def test_a_project_stores_the_method_of_its_consensus_qrels(run, project_file: Path) -> None:
    with open_project(project_file) as project:
        for name, grade in (("bob", 0), ("cleo", 0), ("dan", 3)):
            session = Session(project, name)
            session.grade(session.open_item(QueueItem("051", "d1")), grade)
            session.grade(session.open_item(QueueItem("051", "d2")), 3 - grade)
    file = str(project_file)
    assert [row["label"] for row in table(run("consensus", file, "--format", "csv"))] == ["0", "3"]
    assert command_error("consensus", file, "--method", "mean", "--keep").key == "fractional-grades"
    code, out, err = run("qrels", file, "--source", "consensus")
    assert (code, out) == (0, "051 0 d1 0\n051 0 d2 3\n") and err == "2 pairs, consensus.\n"
    run("consensus", file, "--method", "lower-median", "--keep")
    assert "the median of" in run("consensus", file)[1]
    assert run("qrels", file, "--source", "assessor dan")[1] == "051 0 d1 3\n051 0 d2 0\n"
    code, _, err = run("consensus", "labels.csv", "--keep")
    assert code == 2 and find_line(err, "irjudge: labels.csv ", "--keep")


def test_a_repeat_is_not_a_second_vote(run, project_file: Path) -> None:
    judge_documents(project_file)

    def list_compared() -> dict[str, tuple[str, ...]]:
        rows = table(run("agreement", str(project_file), "--show", "assessors", "--format", "csv"))
        return {
            row["assessor"]: (
                row["agreement"],
                row["bias"],
                row["error"],
                row["repeats"],
                row["repeats_same"],
            )
            for row in rows
        }

    before = list_compared()
    with open_project(project_file) as project:
        item = Item("051", ("d1",), ("",), occurrence=2)
        payload = {"value": 0, "scale": project.scale.version, "active_ms": 0}
        project.events.append(
            Event(
                "ann",
                "grade",
                item,
                "2036-01-01T00:00:00.000Z",
                payload,
                None,
                project.events.head("ann"),
            )
        )
    assert list_compared() == before | {"ann": (*before["ann"][:3], "1", "0")}


def test_test_documents_are_not_in_qrels(run, project_file: Path) -> None:
    with open_project(project_file) as project:
        project.rankings.add_qrels(
            "known", make_qrels([("051", "d9", 3), ("051", "d1", 2)]), "known.txt"
        )
        assign_pool(
            project,
            parse_candidates("bob,cleo"),
            AssignmentOptions(gold=1.0, overlap=2),
            Path("out"),
        )
        for name in ("bob", "cleo"):
            for document in ("d1", "d4", "d9"):
                item = Item("051", (document,), ("",))
                payload = {"value": 1, "scale": project.scale.version, "active_ms": 0}
                project.events.append(
                    Event(
                        name,
                        "grade",
                        item,
                        "2026-01-01T00:00:00.000Z",
                        payload,
                        None,
                        project.events.head(name),
                    )
                )
        unvoted_document = project.collection.document("d2")
        assert unvoted_document is not None
        AdjudicationRecorder(project).decide("051", unvoted_document, 2)
    code, out, err = run("consensus", str(project_file), "-o", "consensus.qrels")
    assert (code, out) == (0, "") and numbers(err) == ["1", "3"]
    run("qrels", str(project_file), "-o", "settled.qrels")
    assert (
        Path("consensus.qrels").read_text()
        == Path("settled.qrels").read_text()
        == "051 0 d1 1\n051 0 d2 2\n051 0 d4 1\n"
    )
    assert [
        row["item"] for row in table(run("consensus", str(project_file), "--format", "csv"))
    ] == ["051 d1", "051 d4"]


def test_an_adjudicated_grade_is_the_consensus(run, project_file: Path) -> None:
    with open_project(project_file) as project:
        for name, grade in (("bob", 0), ("cleo", 0)):
            session = Session(project, name)
            session.grade(session.open_item(QueueItem("051", "d1")), grade)
        document = project.collection.document("d1")
        assert document is not None
        AdjudicationRecorder(project).decide("051", document, 2)
    [row] = table(run("consensus", str(project_file), "--format", "csv"))
    assert (row["label"], numbers(row["reason"])) == ("2", ["2", "2"])


def test_duplicate_labels_of_a_worker_count_once_with_a_warning(run) -> None:
    rows = ["d1,ann,1", "d1,bob,1", "d1,ann,0", "d1,cem,1", "d1,ann,0", "d2,ann,0", "d2,bob,0"]
    Path("again.csv").write_text("item,worker,label\n" + "\n".join(rows) + "\n")
    code, out, err = run("consensus", "again.csv", "--format", "csv")
    output = find_line(err, "again.csv: 2 rows ", "(--repeats last)")
    assert code == 0 and "d1,1,3,2 of 3 chose 1" in out
    assert output in run("agreement", "again.csv")[2]
    assert (
        "d1,1,3,3 of 3 chose 1"
        in run("consensus", "again.csv", "--repeats", "first", "--format", "csv")[1]
    )
    assert (
        "d1,1,5,3 of 5 chose 1"
        in run("consensus", "again.csv", "--repeats", "all", "--format", "csv")[1]
    )
    for command in ("consensus", "agreement"):
        code, _, err = run(command, "again.csv", "--repeats", "refuse")
        assert code == 2 and find_line(err, "again.csv: ", "2 rows", " --repeats")
    code, _, err = run("agreement", "again.csv", "--repeats", "all")
    assert code == 2 and find_line(err, "--repeats all", "consensus")
    assert "--repeats" not in run("consensus", "labels.csv", "--repeats", "refuse")[2]


def test_a_model_that_reaches_the_maximum_of_rounds_is_reported(run) -> None:
    rows = [
        f"d{item},w{worker},{(item * worker + item // 3) % 3}"
        for item in range(30)
        for worker in range(6)
    ]
    Path("hard.csv").write_text("item,worker,label\n" + "\n".join(rows) + "\n")
    _, _, err = run("consensus", "hard.csv", "--method", "dawid-skene", "--rounds", "2")
    assert "2 rounds" in find_line(err, "model", " rounds")
    assert "rounds" not in run("consensus", "hard.csv", "--method", "dawid-skene")[2]


def test_a_quepid_book_is_read_as_the_labels_of_its_assessors(run) -> None:
    Path("book.csv").write_text("query,docid,Ann,Bob\njazz,d1,3,3\njazz,d2,1,0\n =wow,d1,0,0\n")
    [kappa] = table(run("agreement", "book.csv", "--format", "csv", "-s", "raw-agreement"))
    assert (kappa["used"], round(float(kappa["value"]), 4)) == ("3", 0.6667)
    code, _, err = run("consensus", "book.csv", "--method", "majority", "-o", "settled.qrels")
    assert code == 0, err
    settled = [(topic, document) for topic, document, _ in read_qrels(Path("settled.qrels")).rows()]
    assert sorted(settled) == [("q1", "d1"), ("q1", "d2"), ("q2", "d1")]


def test_a_book_in_json_has_the_same_labels(run) -> None:
    pairs = [
        {
            "query_text": "jazz",
            "doc_id": "d1",
            "judgements": [{"rating": 2.0, "user_email": name} for name in ("a", "b")],
        }
    ]
    Path("book.json").write_text(json.dumps({"name": "b", "query_doc_pairs": pairs}))
    code, _, err = run("consensus", "book.json", "--method", "majority", "-o", "settled.qrels")
    assert code == 0, err
    assert [*read_qrels(Path("settled.qrels")).rows()] == [("q1", "d1", 2)]


# Worked by hand: imported 1 0 2 | ann 1 0 0 | bob 1 1 unjudgeable.
IMPORTED = "1 0 d1 1\n1 0 d2 0\n2 0 d3 2\n2 0 d9 1\n"
REJUDGED = "topic,document,assessor,grade\n1,d1,ann,1\n1,d2,ann,0\n2,d3,ann,0\n1,d1,bob,1\n1,d2,bob,1\n2,d3,bob,-2\n"


def test_judgments_are_compared_with_imported_ratings(run) -> None:
    Path("came.qrels").write_text(IMPORTED)
    Path("anew.csv").write_text(REJUDGED)
    options = ("agreement", "anew.csv", "--ratings", "came.qrels", "--format", "csv", "--show")
    values = {
        (row["assessor"], row["statistic"]): (row["pairs"], row["value"])
        for row in table(run(*options, "all"))
    }
    # ann: two of three agree; by chance 1/3 * 1/3 (of 1) + 1/3 * 2/3 (of 0) = 1/3, so kappa is (2/3
    # - 1/3) / (2/3).
    assert values["ann", "kappa"] == ("3", "0.5") and values["ann", "leniency"][1].startswith(
        "-0.666"
    )
    assert values["bob", "raw-agreement"] == ("2", "0.5") and values["bob", "kappa"] == ("2", "0.0")
    cells = {
        (row["assessor"], row["came"], row["given"]): row["pairs"]
        for row in table(run(*options, "confusion"))
    }
    assert [cells["ann", "2", given] for given in "012"] == ["1", "0", "0"] and len(cells) == 2 * 9
    grades = [
        (row["assessor"], row["came"], row["pairs"], row["same"], row["lower"])
        for row in table(run(*options, "grades"))
    ]
    assert grades[2] == ("ann", "2", "1", "0.0", "1.0") and grades[3] == (
        "bob",
        "0",
        "1",
        "0.0",
        "0.0",
    )
    code, out, err = run(*options, "conflicts")
    assert (code, [*csv.reader(io.StringIO(out))][1:]) == (
        0,
        [["2", "d3", "2", "ann 0, bob ✕", "2"], ["1", "d2", "0", "ann 0, bob 1", "1"]],
    )
    assert numbers(find_line(err, "came.qrels: ")) == ["3", "4", "2"]
    assert find_line(err, ": 1 label")


def test_fractional_imported_ratings_are_mapped_as_given(run) -> None:
    Path("came.qrels").write_text("1 0 d1 0.5\n1 0 d2 0\n2 0 d3 1\n2 0 d9 0.5\n")
    Path("anew.csv").write_text(REJUDGED)
    options = ("agreement", "anew.csv", "--ratings", "came.qrels", "--format", "csv")
    assert "--grades" in run(*options)[2]
    values = {
        (row["assessor"], row["statistic"]): row["value"]
        for row in table(run(*options, "--grades", "0:0,0.5:1,1:2"))
    }
    assert values["ann", "kappa"] == "0.5"  # as for whole numbers
    assert run("agreement", "anew.csv", "--negative", "0")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--show", "conflicts"), "--show conflicts"),
        (("--show", "pairs", "--ratings", "came.qrels"), "Got --show pairs"),
        (
            ("--ratings", "others.qrels"),
            "others.qrels (1 in total)",
        ),
    ],
)
def test_uncompared_judgments_have_a_reason(run, arguments: tuple[str, ...], message: str) -> None:
    Path("came.qrels").write_text(IMPORTED)
    Path("others.qrels").write_text("7 0 d7 1\n")
    Path("anew.csv").write_text(REJUDGED)
    code, out, err = run("agreement", "anew.csv", *arguments)
    assert (code, out) == (2, "") and message in err


@pytest.mark.parametrize(
    ("arguments", "option", "condition"),
    [
        (("--gold", "labels.csv"), "--gold", "assessors"),
        (("--runs", "labels.csv"), "--runs", "systems"),
        (("--show", "pairs", "-m", "AP"), "--measure", "systems"),
        (("--rest", "consensus"), "--rest", "systems"),
        (("--show", "assessors", "-s", "kappa"), "--statistic", "all, pairs, topics or grades"),
    ],
)
def test_options_of_another_table_of_agreement_are_refused(
    run, arguments: tuple[str, ...], option: str, condition: str
) -> None:
    error = command_error("agreement", "labels.csv", *arguments)
    assert error.key == "option-without-condition"
    values = {"option": option, "other": "--show", "values": condition}
    assert error.values.items() >= values.items()


def test_a_method_is_not_stored_with_settings_that_the_project_would_ignore(
    run, project_file: Path
) -> None:
    for options in (("--ties", "higher"), ("--smoothing", "2"), ("--leave-out", "ann")):
        error = command_error(
            "consensus", str(project_file), "--method", "lower-median", "--keep", *options
        )
        assert error.values == {"options": options[0], "other": "--keep"}
    with open_project(project_file, writing=False) as opened:
        assert read_consensus_method(opened) == "majority"
