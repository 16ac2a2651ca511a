from .dialogs import (
    DocumentDialog as DocumentDialog,
    ExerciseDialog as ExerciseDialog,
    PagesDialog as PagesDialog,
    SearchDialog as SearchDialog,
    SearchContext as SearchContext,
    format_grade as format_grade,
    open_document as open_document,
)
from .policy import (
    EvaluationOptions as EvaluationOptions,
    PolicyBar as PolicyBar,
    ValueRequest as ValueRequest,
    describe_qrels_source as describe_qrels_source,
    store_options as store_options,
    stored_options as stored_options,
)
from .printing import (
    ask_cards as ask_cards,
    print_booklet as print_booklet,
    print_report as print_report,
)
from .rule_panel import (
    RulePanel as RulePanel,
)
from .table_updates import (
    update_rows as update_rows,
    update_sorted_rows as update_sorted_rows,
)
from .view import (
    BRIEFED_PROJECTS as BRIEFED_PROJECTS,
    InstructionsDialog as InstructionsDialog,
    RarePagesLine as RarePagesLine,
    StatefulView as StatefulView,
    View as View,
    WorkspaceView as WorkspaceView,
)
