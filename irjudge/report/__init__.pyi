from .booklet import (
    CARD_WORDS as CARD_WORDS,
    booklet_lines as booklet_lines,
    booklet_words as booklet_words,
    card_lines as card_lines,
)
from .catalogue import (
    EXPLAINED as EXPLAINED,
    KINDS as KINDS,
    about_in as about_in,
    catalogue_page as catalogue_page,
    explained as explained,
    explained_row as explained_row,
    named_measures as named_measures,
    text_in as text_in,
)
from .contents import (
    Findings as Findings,
    MOST_FOR_ALL_PAIRS as MOST_FOR_ALL_PAIRS,
    Printed as Printed,
    named_topic as named_topic,
    report_of as report_of,
    worked_sheets as worked_sheets,
)
from .evaluation_history import (
    InputChange as InputChange,
    KeptEvaluation as KeptEvaluation,
    changes as changes,
    check_floors as check_floors,
    check_not_worse as check_not_worse,
    checked_name as checked_name,
    compare_with as compare_with,
    dated_rows as dated_rows,
    file_inputs as file_inputs,
    forget_kept as forget_kept,
    is_study as is_study,
    keep_in_file as keep_in_file,
    keep_in_project as keep_in_project,
    keep_of as keep_of,
    kept_in_project as kept_in_project,
    kept_of_project as kept_of_project,
    kept_path as kept_path,
    newest as newest,
    parse_floor as parse_floor,
    read_kept as read_kept,
    side_inputs as side_inputs,
)
from .explanation import (
    column_words as column_words,
    explain as explain,
    explained_rows as explained_rows,
    explanation_text as explanation_text,
)
from .judge_tables import (
    TABLES as TABLES,
    table_named as table_named,
    write_audit_book as write_audit_book,
)
from .method_section import (
    LANGUAGES as LANGUAGES,
    Language as Language,
    Method as Method,
    command_again as command_again,
    files_source as files_source,
    method as method,
    project_source as project_source,
)
from .project_exports import (
    CROWD as CROWD,
    EXPORTS as EXPORTS,
    ExportWish as ExportWish,
    Exported as Exported,
    TREC as TREC,
    export as export,
)
from .study import (
    make_again as make_again,
    read_study as read_study,
    write_study as write_study,
)
from .tables import (
    Cell as Cell,
    TABLE_FORMS as TABLE_FORMS,
    TableForm as TableForm,
    shown_value as shown_value,
    table_text as table_text,
    write_table as write_table,
)
from .trec import (
    write_trec as write_trec,
)
from .writers import (
    COPY_FORMATS as COPY_FORMATS,
    CopyFormat as CopyFormat,
    gathered as gathered,
    html_lines as html_lines,
    table_as as table_as,
    write_report as write_report,
)
