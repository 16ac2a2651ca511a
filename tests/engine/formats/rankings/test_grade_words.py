"""Tests of words as grades, in qrels and labels, and of OpenSearch's LLM judgments."""

import json
import random
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, Undecided
from irjudge.formats import ReadingOptions
from irjudge.formats.judgments import read_gold_labels, read_labels, read_model_labels
from irjudge.formats.rankings import GradeRules, parse_grades, read_qrels
from irjudge.judging import import_judgments, list_qrels_rows, select_qrels
from irjudge.model import Document, Scale, Topic
from irjudge.store import Sources, create_project, create_project_from_files, open_project
from tests.lengths import short_or_long

WORDS = {"a": "Exact", "b": "Not relevant", "c": "exact"}
GRADES = {"a": 3, "b": 0, "c": 3}
RULES = GradeRules(parse_grades("Exact:3,not  Relevant:0"))
ONE_WORD = {**WORDS, "b": "Not-relevant"}
FILES = {
    "table.csv": "query_id,product_id,label\n" + "".join(f"1,{d},{w}\n" for d, w in WORDS.items()),
    "table.tsv": "topic\tdocument\tgrade\n" + "".join(f"1\t{d}\t{w}\n" for d, w in WORDS.items()),
    "quepid.csv": "query,docid,rating\n" + "".join(f"jazz,{d},{w}\n" for d, w in WORDS.items()),
    "pairs.jsonl": "".join(
        json.dumps({"query_id": "1", "doc_id": d, "label": w}) + "\n" for d, w in WORDS.items()
    ),
    "opensearch.json": json.dumps(
        {
            "type": "IMPORT_JUDGMENT",
            "judgmentRatings": [
                {"query": "jazz", "ratings": [{"docId": d, "rating": w} for d, w in WORDS.items()]}
            ],
        }
    ),
}
LINES = {
    "four.qrels": "".join(f"1 0 {d} {w}\n" for d, w in ONE_WORD.items()),
    "three.qrels": "".join(f"1 {d} {w}\n" for d, w in ONE_WORD.items()),
}


def write(folder: Path, name: str, text: str = "") -> Path:
    path = folder / name
    path.write_text(text or FILES.get(name) or LINES[name], encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FILES)
def test_words_become_the_given_grades(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name)
    qrels = read_qrels(path, grades=RULES)
    assert {document: grade for _, document, grade in qrels.rows()} == GRADES
    with pytest.raises(Undecided) as asked:
        read_qrels(path)
    assert (asked.value.key, asked.value.options) == ("words", ("grades",))
    with pytest.raises(Undecided) as asked:
        read_qrels(path, grades=GradeRules({"exact": 3}))
    assert "Not relevant" in asked.value.values["words"]


@pytest.mark.parametrize("name", LINES)
def test_lines_may_have_words(tmp_path: Path, name: str) -> None:
    rules = GradeRules(parse_grades("exact:3,not-relevant:0"))
    qrels = read_qrels(write(tmp_path, name), grades=rules)
    assert {document: grade for _, document, grade in qrels.rows()} == GRADES


def test_words_and_numbers_may_be_mixed(tmp_path: Path) -> None:
    path = write(tmp_path, "x.csv", "topic,document,grade\n1,a,Exact\n1,b,1\n1,c,0\n")
    assert read_qrels(path, grades=GradeRules({"exact": 3})).grade.tolist() == [3, 1, 0]
    rules = GradeRules({"exact": 3, 1: 2, 0: 0})
    assert read_qrels(path, grades=rules).grade.tolist() == [3, 2, 0]
    with pytest.raises(FormatError) as refused:
        read_qrels(path, grades=GradeRules({"exact": 3, 1: 2}))
    assert refused.value.key == "unturned-grade"


def test_labels_of_the_scale_need_no_mapping(tmp_path: Path) -> None:
    qrels = write(
        tmp_path, "q.csv", "topic,document,grade\n1,a,Highly relevant\n1,b,NOT relevant\n"
    )
    create_project_from_files(
        tmp_path / "p.irjudge", Sources(qrels=(qrels,)), scale=Scale.parse("0-3")
    )
    with open_project(tmp_path / "p.irjudge", writing=False) as project:
        assert [grade for _, _, grade in list_qrels_rows(project)] == [3, 0]


def test_labels_become_grades(tmp_path: Path, capsys) -> None:
    path = write(tmp_path, "l.csv", "item,worker,label\n1,x,Exact\n1,y,Partial\n2,x,No\n2,y,No\n")
    labels = read_labels(path, rules=GradeRules({"exact": 2, "partial": 1, "no": 0}))
    assert labels.scale == ("0", "1", "2")
    assert labels.label.tolist() == [2, 1, 0, 0]
    for command in ("agreement", "consensus"):
        options = [command, str(path), "--grades", "Exact:2,Partial:1,No:0"]
        assert main(options + (["--method", "majority"] if command == "consensus" else [])) == 0
        assert main([command, str(path), "--grades", "Exact:2", *options[4:]]) == 2
    capsys.readouterr()


# OpenSearch's LLM judgments

LLM = {
    "id": "1",
    "name": "nightly",
    "type": "LLM_JUDGMENT",
    "status": "COMPLETED",
    "metadata": {"modelId": "m-1"},
    "judgmentRatings": [
        {
            "query": "Jazz  bass",
            "ratings": [{"docId": "d1", "rating": "0.9"}, {"docId": "d2", "rating": "0.1"}],
            "failures": [{"docId": "d3", "error": "timeout"}, "d4"],
        }
    ],
}


def fill_project(project) -> None:
    project.collection.add_topics([Topic("7", "jazz bass")])
    project.collection.add_documents(
        [Document(f"d{at}", f"words {at}".encode()) for at in range(1, 5)]
    )


def test_llm_judgments_are_labels_of_the_model_and_failures_are_unjudged(tmp_path: Path) -> None:
    path = write(tmp_path, "llm.json", json.dumps(LLM))
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-2")) as project:
        fill_project(project)
        with pytest.raises(Undecided):
            import_judgments(project, path)
        import_judgments(project, path, ReadingOptions(grades=GradeRules(cuts=(0.3, 0.8))))
        assert project.events.models() == ("m-1",)
        assert project.events.assessors() == ()
        rows = list_qrels_rows(project, select_qrels(project, "model m-1"))
        assert rows == [("7", "d1", 2), ("7", "d2", 0)]


def test_llm_judgments_may_be_words(tmp_path: Path) -> None:
    judgments = json.loads(json.dumps(LLM))
    for each, word in zip(
        judgments["judgmentRatings"][0]["ratings"], ("RELEVANT", "IRRELEVANT"), strict=True
    ):
        each["rating"] = word
    path = write(tmp_path, "llm.json", json.dumps(judgments))
    model_labels = read_model_labels(
        path, (0, 1), rules=GradeRules({"relevant": 1, "irrelevant": 0})
    )
    assert [label.grade for label in model_labels.labels] == [1, 0, None, None]
    with pytest.raises(Undecided):
        read_model_labels(path, (0, 1))


def test_llm_judgments_as_qrels_are_reported(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "llm.json", json.dumps(LLM)), grades=GradeRules(gains=True))
    assert "ratings-of-a-model" in [getattr(each, "key", "") for each in qrels.warnings]
    assert qrels.ratings() == [0.9, 0.1]


def check_tampered(folder: Path, count: int) -> None:
    source = random.Random(4)
    texts = [*FILES.values(), *LINES.values(), json.dumps(LLM)]
    pieces = [
        '"',
        "{",
        "}",
        "[",
        ",",
        ":",
        "null",
        "nan",
        "1e400",
        "\\ud800",
        "\0",
        "\n",
        "Exact",
        "-3",
        " ",
    ]
    rules = (RULES, GradeRules(gains=True), GradeRules(cuts=(0.5,)), None)
    for number in range(count):
        text = source.choice(texts)
        for _ in range(source.randint(1, 4)):
            at = source.randrange(len(text) + 1)
            text = text[:at] + source.choice(pieces) + text[at + source.choice([0, 3, 9]) :]
        path = folder / f"x{number % 5}{source.choice(['.json', '.csv', '.qrels', '.tsv'])}"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        refuse_or_read(path, source.choice(rules))


def refuse_or_read(path: Path, rules: GradeRules | None) -> None:
    for read in (
        lambda: read_qrels(path, grades=rules),
        lambda: read_model_labels(path, (0, 1, 2, 3), rules=rules),
        lambda: read_labels(path, rules=rules),
    ):
        try:
            read()
        except FormatError as error:
            assert "\n" not in str(error) and str(error).endswith("."), path.read_bytes()


def test_tampered_ratings_are_read_or_give_one_error(tmp_path: Path) -> None:
    check_tampered(tmp_path, 100)


@pytest.mark.slow
def test_many_tampered_ratings_are_read_or_refused(tmp_path: Path) -> None:
    check_tampered(tmp_path, short_or_long(400, 8000))


MODEL_FORMS = {
    "lines.txt": "1 0 a exact\n1 0 b no\n1 0 c 2\n",
    "lines.tsv": "topic\tdocument\tgrade\n1\ta\tEXACT\n1\tb\tNo\n1\tc\t2\n",
    "table.csv": "qid,docid,label\n1,a,Exact\n1,b,no\n1,c,2\n",
    "umbrela.jsonl": '{"qid": "1", "docid": "a", "judgment": "Exact"}\n'
    '{"qid": "1", "docid": "b", "judgment": "no"}\n'
    '{"qid": "1", "docid": "c", "judgment": "2"}\n',
}
MODEL_WORDS = GradeRules({"exact": 3, "no": 0})


@pytest.mark.parametrize("name", MODEL_FORMS)
def test_words_of_model_labels_become_grades(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, MODEL_FORMS[name])
    model_labels = read_model_labels(path, (0, 1, 2, 3), rules=MODEL_WORDS)
    assert [(each.document, each.grade) for each in model_labels.labels] == [
        ("a", 3),
        ("b", 0),
        ("c", 2),
    ]
    assert model_labels.warnings == ()


@pytest.mark.parametrize("name", MODEL_FORMS)
def test_invalid_model_grades_are_unjudged_unless_all_are_words(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, MODEL_FORMS[name])
    some = read_model_labels(path, (0, 1, 2, 3))
    assert [each.grade for each in some.labels] == [None, None, 2]
    all_words = write(tmp_path, f"all-{name}", MODEL_FORMS[name].replace("2", "perhaps"))
    with pytest.raises(Undecided) as refused:
        read_model_labels(all_words, (0, 1, 2, 3))
    assert refused.value.options == ("grades",)
    assert {"exact", "no", "perhaps"} <= set(
        refused.value.values["words"].lower().replace(",", " ").split()
    )


def test_numbers_of_model_labels_are_mapped_or_cut(tmp_path: Path) -> None:
    path = write(tmp_path, "m.txt", "1 0 a 0.7\n1 0 b 0.1\n")
    assert [e.grade for e in read_model_labels(path, rules=GradeRules(cuts=(0.5,))).labels] == [
        1,
        0,
    ]
    mapped = read_model_labels(path, rules=GradeRules({0.7: 2, 0.1: 0})).labels
    assert [each.grade for each in mapped] == [2, 0]
    with pytest.raises(FormatError) as refused:
        read_model_labels(path, rules=GradeRules({0.7: 2}))
    assert refused.value.line == 2


def test_words_of_a_gold_file_become_grades(tmp_path: Path, capsys) -> None:
    labels = "item,worker,label\n" + "".join(
        f"i{n},{who},{word}\n"
        for n, word in enumerate(("Exact", "no", "Exact"))
        for who in ("ann", "bob")
    )
    path = write(tmp_path, "labels.csv", labels)
    gold = write(tmp_path, "gold.csv", "item,truth\ni0,exact\ni1,Exact\ni2,3\n")
    options = ("--grades", "Exact:3,no:0")
    show = ("--show", "assessors", "-f", "csv")
    assert main(["agreement", str(path), "--gold", str(gold), *show, *options]) == 0
    header, first, *_ = (line.split(",") for line in capsys.readouterr().out.splitlines())
    row = dict(zip(header, first, strict=False))
    assert (row["gold"], row["right"]) == ("3", "2")
    assert main(["consensus", str(path), "--gold", str(gold), "--truth", str(gold), *options]) == 0
    gold.write_text("1 0 d exact\n")
    assert read_gold_labels(gold, rules=MODEL_WORDS) == {("1", "d"): "3"}


def test_an_audit_accepts_words_in_model_files(tmp_path: Path, capsys) -> None:
    people = write(tmp_path, "people.qrels", "".join(f"1 0 {d} 1\n" for d in "abc"))
    model = write(tmp_path, "m.txt", "1 0 a yes\n1 0 b no\n1 0 c yes\n")
    command = ["audit", str(people), str(model)]
    assert main(command) == 2
    assert capsys.readouterr().err.count("\n") == 1
    main([*command, "--grades", "1:1,yes:1,no:0"])
    assert "words" not in capsys.readouterr().err
