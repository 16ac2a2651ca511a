"""Tests of the help site: all pages exist in both languages, and its values are the engine's."""

import json
import random
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

import irjudge
from irjudge.cli.main import COMMANDS
from irjudge.metrics import list_measures
from irjudge.shipped import sample_folders
from tests.lengths import short_or_long
from tests.web.browsers import find_program

ROOT = Path(__file__).parent.parent
HANDBOOK = ROOT / ".ci" / "handbook"
GRADINGS = short_or_long(200, 1000)
# Reads rankings and gradings, and prints the rows of each grading as the page would show them.
SCORED = """
import { readFileSync } from "node:fs";
const { score } = await import(process.argv[2]);
const { rankings, gradings } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(gradings.map((grades) => score(rankings, grades))));
"""
CURRENT_GRADES_SCRIPT = """
import { readFileSync } from "node:fs";
const [{ standing }, { Ledger }] = [await import(process.argv[2]), await import(process.argv[3])];
console.log(JSON.stringify(standing(JSON.parse(readFileSync(0, "utf8")), Ledger)));
"""


@cache
def site_module() -> ModuleType:
    """Return the module that builds the site, which is not in an installed package."""
    sys.path.insert(0, str(HANDBOOK))
    try:
        return import_module("make")
    finally:
        sys.path.remove(str(HANDBOOK))


def run_node(tmp_path: Path, script: str, given: object, *modules: Path) -> object:
    """Run a script in node and return its output."""
    (tmp_path / "asked.mjs").write_text(script, encoding="utf-8")
    arguments = [
        find_program("node"),
        str(tmp_path / "asked.mjs"),
        *(each.as_uri() for each in modules),
    ]
    done = subprocess.run(
        arguments, input=json.dumps(given), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def gradings(rankings: dict[str, dict[str, list[str]]]) -> list[dict[str, dict[str, int]]]:
    """Grade random parts of the sample's pool.

    There are unjudgeable documents, and topics without relevant documents.
    """
    draw = random.Random(36)
    pool: dict[str, set[str]] = {}
    for topics in rankings.values():
        for topic, documents in topics.items():
            pool.setdefault(topic, set()).update(documents)
    result = []
    while len(result) < GRADINGS:
        share, worth = draw.random(), draw.choice([(0,), (0, 1), (0, 1, 2, 3), (-2, 0, 1, 2, 3)])
        samples = {
            topic: {each: draw.choice(worth) for each in sorted(documents) if draw.random() < share}
            for topic, documents in pool.items()
        }
        if grades := {topic: each for topic, each in samples.items() if each}:
            result.append(grades)
    return result


@pytest.mark.slow
def test_the_page_has_the_values_of_the_engine(tmp_path: Path) -> None:
    rankings = site_module().rankings()
    samples = gradings(rankings)
    output = run_node(
        tmp_path, SCORED, {"rankings": rankings, "gradings": samples}, HANDBOOK / "score.js"
    )
    runs = {
        path.stem: irjudge.read_run(str(path))
        for path in (sample_folders()["everyday"] / "runs").glob("*.run")
    }
    assert sorted(runs) == sorted(rankings) and isinstance(output, list) and len(output) == GRADINGS
    for name, run in runs.items():
        result = [
            next((row["precision"], row["ndcg"]) for row in rows if row["run"] == name)
            for rows in output
        ]
        expected = means_of(run.to_pandas(), samples)
        assert np.allclose(result, expected, rtol=0, atol=1e-12)
        for grades, values in list(zip(samples, result, strict=True))[:5]:  # the engine's mean, too
            assert irjudge.evaluate(grades, run, "P@5 nDCG@10")["value"].tolist() == pytest.approx(
                values, abs=1e-12
            )


def means_of(
    run: pd.DataFrame, samples: list[dict[str, dict[str, int]]]
) -> npt.NDArray[np.float64]:
    """Evaluate a run by all gradings at once; return a row per grading with P@5 and nDCG@10."""
    every = {
        f"{index} {topic}": each
        for index, grades in enumerate(samples)
        for topic, each in grades.items()
    }
    ranked = {str(topic): rows for topic, rows in run.groupby("query_id")}
    again = pd.concat([ranked[name.split()[1]].assign(query_id=name) for name in every])
    values = irjudge.evaluate(every, again, "P@5 nDCG@10", per_topic=True)
    values = values[values.topic != "all"]
    means = (
        values.groupby([values.topic.str.split().str[0].astype(int), "measure"])["value"]
        .mean()
        .unstack()
    )
    return means[["P@5", "nDCG@10"]].sort_index().to_numpy()


@pytest.mark.slow
def test_undone_judgments_do_not_count(tmp_path: Path) -> None:
    def action(number: int, kind: str, document: str, value: object, target: int = 0) -> str:
        item = {
            "type": "document",
            "topic": "1",
            "documents": [document],
            "contents": [""],
            "occurrence": 0,
        }
        to = {"client": "c", "number": target} if target else None
        return json.dumps(
            {
                "client": "c",
                "number": number,
                "kind": kind,
                "item": item,
                "payload": {"value": value},
                "target": to,
            }
        )

    texts = [
        action(1, "grade", "a", 2),
        action(2, "grade", "b", 3),
        action(3, "undo", "b", None, 2),
        action(4, "unjudgeable", "d", "spam"),
    ]
    ledger = ROOT / "resources" / "web" / "ledger.js"
    (tmp_path / "ledger.mjs").write_text(
        ledger.read_text(encoding="utf-8").replace("./task.js", "./task.mjs"), encoding="utf-8"
    )
    (tmp_path / "task.mjs").write_text(
        (ledger.parent / "task.js").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (tmp_path / "score.mjs").write_text(
        (HANDBOOK / "score.js").read_text(encoding="utf-8"), encoding="utf-8"
    )
    assert run_node(
        tmp_path, CURRENT_GRADES_SCRIPT, texts, tmp_path / "score.mjs", tmp_path / "ledger.mjs"
    ) == {"1": {"a": 2, "d": -2}}


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_page_is_built_completely(language: str) -> None:
    pages = site_module().pages(
        next(each for each in site_module().LANGUAGES if each.folder == language)
    )
    assert [
        each.name for each in list_measures() if f"\n### {each.name}\n" not in pages["measures"]
    ] == []
    assert [name for name in COMMANDS if f"\n## {name}\n" not in pages["command_line"]] == []
    assert [
        name for name in irjudge.__all__ if f"::: irjudge.{name}\n" not in pages["python"]
    ] == []
    links = [
        (name, link)
        for name, text in pages.items()
        for link in re.findall(r"\]\(([\w-]+)\.md\)", text)
    ]
    assert links and [each for each in links if each[1] not in pages] == []
    assert "{" not in re.sub(r'data-try="sample">.*?</script>', "", pages["try"])
    listed = {path.stem for path in (ROOT / "resources" / "help").glob("*.md")} | {
        "index",
        "try",
        "first_ten",
        "class_in_90",
        "defensible",
    }
    assert set(pages) == listed | {"command_line", "python"}


def test_rankings_and_task_on_the_page_are_those_of_the_sample() -> None:
    here = site_module().judged_here()
    documents = {
        name for topics in here.rankings.values() for each in topics.values() for name in each
    }
    handed = {each["id"] for each in here.task["documents"]}
    assert documents == handed and here.task["mode"] == "grade"
    assert {run: round(each["nDCG@10"], 4) for run, each in here.values.items()} == {
        "bm25": 0.7083,
        "ql": 0.6816,
        "tfidf": 0.7226,
        "title": 0.4116,
    }
