"""irjudge: judge search results and evaluate rankings."""

TYPE_CHECKING = False  # as `typing` has it; nothing may be imported here: `python -m` still looks into the current folder

if TYPE_CHECKING:
    from irjudge.evaluation.evaluation_in_parts import evaluate_arrow as evaluate_arrow
    from irjudge.evaluation.frame import estimate as estimate
    from irjudge.evaluation.frame import evaluate as evaluate
    from irjudge.formats.notebooks import read_qrels as read_qrels
    from irjudge.formats.notebooks import read_run as read_run
    from irjudge.formats.notebooks import write_qrels as write_qrels
    from irjudge.report.explanation import explain as explain

__all__ = [
    "estimate",
    "evaluate",
    "evaluate_arrow",
    "explain",
    "read_qrels",
    "read_run",
    "write_qrels",
]


def __getattr__(name: str) -> object:
    """Load what is asked for when it is asked for: importing irjudge must stay cheap."""
    if name in ("estimate", "evaluate"):
        from irjudge.evaluation import frame  # noqa: PLC0415 -- pandas costs 0.3 s

        return getattr(frame, name)
    if name == "evaluate_arrow":
        from irjudge.evaluation.evaluation_in_parts import evaluate_arrow  # noqa: PLC0415 -- pyarrow costs 0.1 s

        return evaluate_arrow
    if name == "explain":
        from irjudge.report.explanation import explain  # noqa: PLC0415 -- pyarrow costs 0.1 s

        return explain
    if name in ("read_qrels", "read_run", "write_qrels"):
        from irjudge.formats import notebooks  # noqa: PLC0415 -- pyarrow costs 0.1 s

        return getattr(notebooks, name)
    raise AttributeError(f"module 'irjudge' has no attribute {name!r}")
