"""Tests of further imported files: instructions, calibration documents and owners."""

from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import Cancelled, FormatError, Undecided
from irjudge.formats.judgments import Query
from irjudge.message import Message
from irjudge.model import Grade, Scale
from irjudge.progress import Progress
from irjudge.shipped import sample_folders
from irjudge.store import (
    Sources,
    create_project,
    create_project_from_files,
    import_sources,
    open_project,
    read_import_reports,
    sample_sources,
)
from irjudge.store.import_files import find_needed_documents, find_topics_of_queries
from tests.lengths import is_linear
from tests.pools import depth_pool


def test_instructions_are_stored_unchanged_and_can_be_replaced(
    project_file: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.md", tmp_path / "second.md"
    first.write_bytes(b"\xef\xbb\xbf# Judge\n\n* well\xc3\xa4\n")
    second.write_text("# Judge better\n")
    with open_project(project_file) as project:
        assert project.instructions == ""
        report = import_sources(project, Sources(instructions=first))
        assert (report.sentences, report.warnings) == (
            ["Imported the instructions from first.md (lines: 3)."],
            [],
        )
        assert project.instructions == "# Judge\n\n* wellä\n"
        report = import_sources(project, Sources(instructions=second))
        (warning,) = report.warnings
        assert (warning.key, warning.values) == ("replaced-instructions", {"file": "second.md"})
        assert import_sources(project, Sources(instructions=second)).warnings == []
    with open_project(project_file, writing=False) as project:
        assert project.instructions == "# Judge better\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b" \n", "is empty"),
        (b"caf\xe9", "not valid UTF-8"),
        (b"\xff\xfea\0", "UTF-16"),
        (None, "cannot be read"),
    ],
)
def test_unusable_instructions_are_refused(
    project_file: Path, tmp_path: Path, content: bytes | None, problem: str
) -> None:
    file = tmp_path / "a.md"
    if content is not None:
        file.write_bytes(content)
    with open_project(project_file) as project:
        with pytest.raises(FormatError, match=problem):
            import_sources(project, Sources(instructions=file))
        assert project.instructions == ""


def test_a_run_with_unknown_documents_gives_a_warning(project_file: Path, tmp_path: Path) -> None:
    known, half, alien = (tmp_path / f"{name}.run" for name in ("known", "half", "alien"))
    known.write_text("051 Q0 d1 1 2 x\n051 Q0 d2 2 1 x\n")
    half.write_text("051 Q0 d1 1 2 x\n051 Q0 CACM-2 2 1 x\n")
    alien.write_text(
        "".join(f"051 Q0 CACM-{number} {number} {5001 - number} x\n" for number in range(1, 5001))
    )
    with open_project(project_file) as project:
        assert import_sources(project, Sources(runs=(known, half))).warnings == []
        (warning,) = import_sources(project, Sources(runs=(alien,))).warnings
        assert (warning.key, warning.values["name"]) == ("documents-without-text", "alien")
        values = warning.all_values
        assert (values["count"], values["example"]) == ("1,667", "CACM-1")
        assert values["total"].startswith("1,667 documents")


@pytest.mark.parametrize("name", list(sample_folders()))
def test_each_sample_has_instructions_with_an_example_per_grade(name: str, tmp_path: Path) -> None:
    sources, scale = sample_sources(name)
    create_project_from_files(tmp_path / "p.irjudge", sources, scale=scale)
    with open_project(tmp_path / "p.irjudge", writing=False) as project:
        assert project.instructions == (sample_folders()[name] / "instructions.md").read_text(
            encoding="utf-8"
        )
        assert [
            grade
            for grade in scale.grades
            if f"| **{grade.value}** {grade.label} |" not in project.instructions
        ] == []


@pytest.mark.parametrize(
    ("owner", "whose"),
    [("owner", None), ("assessor 7", "assessor 7"), ("  ", None), (" ann ", "ann")],
)
def test_a_project_has_an_owner_unless_none_is_given(
    tmp_path: Path, owner: str, whose: str | None
) -> None:
    with create_project(tmp_path / "p", scale=Scale.parse("binary"), owner=owner) as project:
        assert project.belongs_to == whose
        assert project.owner == (whose or "owner")


def test_sources_may_have_only_instructions_or_calibration(tmp_path: Path) -> None:
    assert not Sources()
    assert Sources(instructions=tmp_path) and Sources(calibration=(tmp_path,))


def lines_of(path: Path, count: int, last: str = "") -> Path:
    path.write_text(
        "".join(f'{{"id": "new{number}", "text": "text"}}\n' for number in range(count)) + last
    )
    return path


@pytest.mark.slow
def test_an_invalid_last_record_leaves_nothing_partially_imported(
    project_file: Path, tmp_path: Path
) -> None:
    sources = Sources(
        documents=(
            lines_of(tmp_path / "good.jsonl", 3),
            lines_of(tmp_path / "bad.jsonl", 3000, '{"id": "broken"'),
        )
    )
    with open_project(project_file) as project:
        with pytest.raises(FormatError, match=r"bad.jsonl, line 3001: not JSON"):
            import_sources(project, sources)
        assert (project.collection.document_count(), project.collection.document("new0")) == (
            12,
            None,
        )
    with pytest.raises(FormatError):
        create_project_from_files(tmp_path / "new.irjudge", sources, scale=Scale.parse("binary"))
    assert {path.name for path in tmp_path.iterdir()} == {
        "good.jsonl",
        "bad.jsonl",
        project_file.name,
    }


def test_an_invalid_file_rolls_back_the_earlier_ones(project_file: Path, tmp_path: Path) -> None:
    sources = replace(
        write_sources_with_gaps(tmp_path),
        documents=(lines_of(tmp_path / "bad.jsonl", 3, '{"id": "broken"'),),
    )
    (tmp_path / "t.tsv").write_text("new\tone\n")
    with open_project(project_file) as project:

        def read_state() -> tuple[object, ...]:
            rankings = project.rankings
            return (
                list(project.collection.topics()),
                rankings.runs(),
                rankings.qrels_names(),
                read_import_reports(project),
            )

        before = read_state()
        with pytest.raises(FormatError, match=r"bad\.jsonl, line 4"):
            import_sources(project, sources)
        assert read_state() == before
        import_sources(project, replace(sources, documents=()))
        assert all(now != then for now, then in zip(read_state(), before, strict=True))


def test_cancelling_an_import_leaves_no_trace(project_file: Path, tmp_path: Path) -> None:
    asked: list[int] = []
    cancel_at_the_fifth_step = Progress(cancelled=lambda: asked.append(1) or len(asked) == 5)
    sources = Sources(documents=(lines_of(tmp_path / "docs.jsonl", 3000),))
    with open_project(project_file) as project:
        with pytest.raises(Cancelled):
            import_sources(project, sources, cancel_at_the_fifth_step)
        assert (project.collection.document_count(), project.collection.document("new0")) == (
            12,
            None,
        )
    asked.clear()
    with pytest.raises(Cancelled):
        create_project_from_files(
            tmp_path / "new.irjudge",
            sources,
            scale=Scale.parse("binary"),
            progress=cancel_at_the_fifth_step,
        )
    assert {path.name for path in tmp_path.iterdir()} == {"docs.jsonl", project_file.name}


def write_sources_with_gaps(tmp_path: Path) -> Sources:
    (tmp_path / "t.tsv").write_text("1\tone\n2\ttwo\n3\tthree\n")
    (tmp_path / "q.txt").write_text("1 0 d1 1\n1 0 nowhere 1\n9 0 d1 1\n")
    (tmp_path / "r.run").write_text("1 Q0 d2 1 1 r\n")
    (tmp_path / "d.jsonl").write_text(
        "".join(f'{{"id": "d{number}", "text": "text {number}"}}\n' for number in (1, 2, 3))
    )
    one = {name: (tmp_path / name,) for name in ("t.tsv", "q.txt", "r.run", "d.jsonl")}
    return Sources(one["d.jsonl"], one["t.tsv"], one["r.run"], one["q.txt"])


def test_gaps_between_files_give_warnings_stored_in_the_project(
    tmp_path: Path,
) -> None:
    path = tmp_path / "p.irjudge"
    report = create_project_from_files(
        path, write_sources_with_gaps(tmp_path), scale=Scale.parse("binary")
    )
    topics, unjudged, unread = (each for each in report.warnings if each.startswith("Qrels q"))
    assert (topics.key, topics.values["count"]) == ("unknown-topics", "1")
    assert (topics.values["example"], unjudged.values["example"]) == ("9", "2")
    assert ": 2 " in unjudged
    assert ": 1 " in unread and unread.values["example"] == "nowhere"
    with open_project(path) as project:
        assert (
            read_import_reports(project) == [report]
            and report.time
            and report.files == ["t.tsv", "d.jsonl", "r.run", "q.txt"]
        )
        (tmp_path / "s.run").write_text("1 Q0 d1 1 1 s\n")
        again = import_sources(project, Sources(runs=(tmp_path / "s.run",)))
        assert read_import_reports(project) == [report, again]
        assert not import_sources(project, Sources()) and len(read_import_reports(project)) == 2


def test_a_failed_import_leaves_no_report(project_file: Path, tmp_path: Path) -> None:
    with open_project(project_file) as project:
        before = read_import_reports(project)
        with pytest.raises(FormatError):
            import_sources(
                project,
                Sources(documents=(lines_of(tmp_path / "bad.jsonl", 3, '{"id": "broken"'),)),
            )
        assert read_import_reports(project) == before


def test_only_needed_documents_are_read(tmp_path: Path) -> None:
    sources = replace(write_sources_with_gaps(tmp_path), only_pooled=True)
    report = create_project_from_files(tmp_path / "p.irjudge", sources, scale=Scale.parse("binary"))
    with open_project(tmp_path / "p.irjudge") as project:
        assert [id for id in ("d1", "d2", "d3") if project.collection.document(id)] == ["d1", "d2"]
        assert {"wanted": "3", "missing": "1"} in [
            dict(each.values) for each in report.sentences if each.key == "needed-documents"
        ]
        project.rankings.add_pool(depth_pool([project.rankings.run("r")], 1))
        assert find_needed_documents(project) == {"d1", "d2", "nowhere"}


def test_grades_outside_the_scale_are_reported_with_a_mapping(tmp_path: Path) -> None:
    qrels = tmp_path / "gains.qrels"
    qrels.write_text("1 0 a 100\n1 0 b 10\n1 0 c 0\n1 0 d -1\n", encoding="utf-8")
    report = create_project_from_files(
        tmp_path / "p.irjudge", Sources(qrels=(qrels,)), scale=Scale.parse("0-3"), off_scale=True
    )
    (reported,) = (warning for warning in report.warnings if "steps" in warning.all_values)
    values = reported.all_values
    assert (values["name"], values["scale"]) == ("gains.qrels", "0, 1, 2, 3")
    assert values["grades"] == "10, 100"
    assert "--grades “0:0,10:1,100:2”" in reported and "nDCG(gain=1:10/2:100)" in reported
    whole = create_project_from_files(
        tmp_path / "other.irjudge",
        Sources(qrels=(qrels,)),
        scale=Scale.parse("binary"),
        off_scale=True,
    )
    assert not any("--grades" in warning for warning in whole.warnings), (
        "three grades do not fit two"
    )


def test_the_advice_on_gains_names_grades_of_a_scale_with_gaps(tmp_path: Path) -> None:
    qrels = tmp_path / "q.qrels"
    qrels.write_text("1 0 a 0\n1 0 b 5\n1 0 c 10\n", encoding="utf-8")
    scale = Scale("even", tuple(Grade(value, str(value)) for value in (0, 2, 4)))
    report = create_project_from_files(
        tmp_path / "p.irjudge", Sources(qrels=(qrels,)), scale=scale, off_scale=True
    )
    (reported,) = (warning for warning in report.warnings if "steps" in warning.all_values)
    assert "0:0,5:2,10:4" in reported and "gain=2:5/4:10" in reported


@pytest.mark.parametrize(
    ("grades", "keys"), [((1, 2), ["lowest-not-relevant"]), ((3,), []), ((0, 3), ["remap-grades"])]
)
def test_a_mapping_to_not_relevant_is_advised_only_if_the_lowest_grade_means_that(
    tmp_path: Path, grades: tuple[int, ...], keys: list[str]
) -> None:
    """Qrels often contain only relevant documents."""
    qrels = tmp_path / "q.qrels"
    qrels.write_text("".join(f"1 0 d{grade} {grade}\n" for grade in grades))
    report = create_project_from_files(
        tmp_path / "p.irjudge", Sources(qrels=(qrels,)), scale=Scale.parse("binary"), off_scale=True
    )
    (warning,) = (warning for warning in report.warnings if "off-scale" in warning.key)
    advice = [value for value in warning.values.values() if isinstance(value, Message)]
    assert [each.key for each in advice if each.key in ("lowest-not-relevant", "remap-grades")] == (
        keys
    )


@pytest.mark.parametrize(
    ("grades", "scale", "options"),
    [
        ((0, 1, 10, 100), "0-3", ['--grades "0:0,1:1,10:2,100:3"']),  # ESCI
        ((1, 2, 3, 4), "0-3", ['--grades "1:0,2:1,3:2,4:3"', "--scale 0-4"]),  # Cranfield
        ((0, 1, 2), "binary", ["--scale 0-2"]),
        ((0, 1, 2, 3, 400), "0-3", ["--grades"]),
    ],
)
def test_qrels_with_grades_outside_the_scale_create_no_project(
    tmp_path: Path, grades: tuple[int, ...], scale: str, options: list[str]
) -> None:
    qrels, made = tmp_path / "a.qrels", tmp_path / "p.irjudge"
    qrels.write_text("".join(f"1 0 d{grade} {grade}\n" for grade in grades), encoding="utf-8")
    with pytest.raises(Undecided, match=r"a\.qrels") as asked:
        create_project_from_files(made, Sources(qrels=(qrels,)), scale=Scale.parse(scale))
    assert set(asked.value.options) == {"grades", "scale"} and not made.exists()
    for option in options:
        assert option in str(asked.value)
    assert ("--scale" in str(asked.value)) == any("--scale" in each for each in options)


def test_the_suggested_options_create_the_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, made = tmp_path / "a.qrels", tmp_path / "p.irjudge"
    qrels.write_text("1 0 a 1\n1 0 b 4\n", encoding="utf-8")
    new = ["new", str(made), "--qrels", str(qrels)]
    assert main(new) == 2 and not made.exists()
    err = capsys.readouterr().err
    assert "--scale 0-4" in err and "1:0,4:1" in err
    assert main([*new, "--scale", "0-4"]) == 0
    made.unlink()
    assert main([*new, "--grades", "1:0,4:1"]) == 0


@pytest.mark.parametrize(
    ("topics", "qrels", "expected_rows"),
    [
        (  # an id without text is the id of a topic
            "401\tforeign minorities\n402\tbehavioral genetics\n",
            '{"qid": "401", "docid": "d1", "rel": 1}\n',
            [("401", "d1", 1)],
        ),
        (
            "401\tforeign minorities\n402\tbehavioral genetics\n",
            "2 qid:401 #docid = d1\n0 qid:402 #docid = d2\n",
            [("401", "d1", 2), ("402", "d2", 0)],
        ),
        (  # a text that differs in one letter
            "401\tforeign minorities\n402\tbehavioral genetics\n",
            '{"query_id": "402", "query": "behavioural genetics", "doc_id": "d2", "relevance": 1}\n',
            [("402", "d2", 1)],
        ),
        (  # lines for learning to rank are numbered, and their texts are those of other topics
            "1\trock\n2\tjazz\n",
            "3 qid:1 # d1 jazz\n1 qid:2 # d2 rock\n",
            [("2", "d1", 3), ("1", "d2", 1)],
        ),
        (  # the number of a query with a new text is not the id of a topic
            "1\trock\n",
            "3 qid:1 # d1 jazz\n",
            [("q1", "d1", 3)],
        ),
        (  # texts in the column of ids
            "2\trock\n3\tfolk\n",
            '{"query_id": "rock", "doc_id": "d1", "rating": 1}\n',
            [("2", "d1", 1)],
        ),
        (  # ids in the column of texts
            "401\tforeign minorities\n",
            "query,docid,rating\n401,d1,2\n",
            [("401", "d1", 2)],
        ),
        (  # two queries with the same text
            "9\tjazz\n",
            '{"query_id": "401", "query": "tea", "doc_id": "d1", "relevance": 1}\n'
            '{"query_id": "402", "query": "tea", "doc_id": "d2", "relevance": 0}\n',
            [("401", "d1", 1), ("402", "d2", 0)],
        ),
        (
            "9\ttea\n",
            '{"query_id": "401", "query": "tea", "doc_id": "d1", "relevance": 1}\n'
            '{"query_id": "402", "query": "tea", "doc_id": "d2", "relevance": 0}\n',
            [("9", "d1", 1), ("402", "d2", 0)],
        ),
    ],
)
def test_judgments_of_a_query_belong_to_the_topic_that_its_id_or_text_means(
    tmp_path: Path, topics: str, qrels: str, expected_rows: list[tuple[str, str, int]]
) -> None:
    for name, text in (("topics.tsv", topics), ("qrels.txt", qrels)):
        (tmp_path / name).write_text(text)
    sources = Sources(topics=(tmp_path / "topics.tsv",), qrels=(tmp_path / "qrels.txt",))
    create_project_from_files(tmp_path / "p.irjudge", sources, scale=Scale.parse("0-3"))
    with open_project(tmp_path / "p.irjudge", writing=False) as project:
        assert [*project.rankings.qrels("qrels").rows()] == expected_rows


def test_queries_with_one_text_take_linear_time() -> None:
    def find(count: int) -> dict[str, str]:
        titles = {f"t{number}": "tea" for number in range(count)}
        return find_topics_of_queries(
            titles, [Query(f"q{number}", "tea") for number in range(count)]
        )

    assert find(3) == {"q0": "t0", "q1": "t1", "q2": "t2"}
    assert is_linear(lambda: find(1000), lambda: find(8000))


def test_files_without_ids_of_topics_belong_to_the_topics_with_their_texts(tmp_path: Path) -> None:
    lines = {
        "topics.tsv": "q1\tmoon phases\nq2\tsea  tides\nq3\tsalt\n",
        "qrels.csv": "query,doc_id,relevance\nsea tides,d1,1\nmoon phases,d2,2\nq3,d3,1\nnew text,d4,0\n",
        "run.csv": "query,doc_id,score\nsea tides,d1,1\nmoon phases,d3,1\n",
    }
    for name, text in lines.items():
        (tmp_path / name).write_text(text)
    sources = Sources(
        topics=(tmp_path / "topics.tsv",),
        qrels=(tmp_path / "qrels.csv",),
        runs=(tmp_path / "run.csv",),
        calibration=(tmp_path / "qrels.csv",),
    )
    create_project_from_files(tmp_path / "p.irjudge", sources, scale=Scale.parse("0-3"))
    with open_project(tmp_path / "p.irjudge", writing=False) as project:
        assert [*project.rankings.qrels("qrels").rows()] == [
            ("q2", "d1", 1),
            ("q1", "d2", 2),
            ("q3", "d3", 1),
            ("new text", "d4", 0),
        ]
        assert project.rankings.run("run").topics == ("q2", "q1")
        assert project.calibration == {
            "q2": {"d1": 1},
            "q1": {"d2": 2},
            "q3": {"d3": 1},
            "new text": {"d4": 0},
        }
