"""Creates nuggetizer.json: nugget scores by nuggetizer. Run: python make_nuggetizer.py, where nuggetizer 0.0.5 is installed.

Of the package the one module that computes is imported, core/metrics.py, so that models need not be there.
"""

import importlib.metadata
import importlib.util
import json
import random
from pathlib import Path

SCORES = {
    "NuggetRecall": "all_score",
    "NuggetRecall(credit=strict)": "strict_all_score",
    "NuggetRecall(of=vital)": "vital_score",
    "NuggetRecall(of=vital,credit=strict)": "strict_vital_score",
}


def scorer() -> object:
    """Return the module that computes."""
    (place,) = (
        each
        for each in importlib.metadata.files("nuggetizer") or ()
        if str(each).endswith("core/metrics.py")
    )
    spec = importlib.util.spec_from_file_location("nuggetizer_metrics", place.locate())
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answers(draw: random.Random) -> list[dict]:
    """Answers as nuggetizer writes them: topic 5 has no vital nugget, topic 6 no nugget."""
    made = []
    for topic in range(1, 7):
        importance = ["okay"] if topic == 5 else ["vital", "okay"]
        support = ["support", "partial_support", "not_support"]
        nuggets = [
            {
                "text": f"fact {number}",
                "importance": draw.choice(importance),
                "assignment": draw.choice(support),
            }
            for number in range(0 if topic == 6 else draw.randint(3, 12))
        ]
        made.append(
            {"query": f"question {topic}", "qid": str(topic), "run_id": "r", "nuggets": nuggets}
        )
    return made


def main() -> None:
    """Write the answers and each score of each topic."""
    written = answers(random.Random(3))
    found = {
        each["qid"]: scorer().calculate_nugget_scores(each["qid"], each["nuggets"])
        for each in written
    }
    values = {
        ours: {topic: getattr(scores, theirs) for topic, scores in found.items()}
        for ours, theirs in SCORES.items()
    }
    made = {
        "tool": "nuggetizer",
        "version": importlib.metadata.version("nuggetizer"),
        "answers": written,
        "values": values,
    }
    Path(__file__).with_name("nuggetizer.json").write_text(
        json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
