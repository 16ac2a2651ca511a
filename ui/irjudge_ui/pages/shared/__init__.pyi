from .dialogs import (
    DocumentDialog as DocumentDialog,
    ExerciseDialog as ExerciseDialog,
    PagesDialog as PagesDialog,
    SearchDialog as SearchDialog,
    SearchHost as SearchHost,
    open_document as open_document,
)
from .policy import (
    EvaluationOptions as EvaluationOptions,
    PolicyBar as PolicyBar,
    ValueQuestion as ValueQuestion,
    rests_on as rests_on,
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
    go_on as go_on,
    keep_up as keep_up,
)
from .view import (
    StatedView as StatedView,
    View as View,
    WorkspaceView as WorkspaceView,
)
