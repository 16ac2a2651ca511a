"""irjudge: judge search results and evaluate rankings."""

TYPE_CHECKING = False  # as `typing` has it; nothing may be imported here: `python -m` still looks into the current folder

if TYPE_CHECKING:
    from irjudge.evaluation.frame import evaluate as evaluate
    from irjudge.report.explanation import explain as explain

__all__ = ["evaluate", "explain"]


def __getattr__(name: str) -> object:
    """Load what is asked for when it is asked for: importing irjudge must stay cheap."""
    if name == "evaluate":
        from irjudge.evaluation.frame import evaluate  # noqa: PLC0415 -- pandas costs 0.3 s

        return evaluate
    if name == "explain":
        from irjudge.report.explanation import explain  # noqa: PLC0415 -- pyarrow costs 0.1 s

        return explain
    raise AttributeError(f"module 'irjudge' has no attribute {name!r}")
