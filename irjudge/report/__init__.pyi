from .booklet import (
    CARD_TEXT as CARD_TEXT,
    booklet_lines as booklet_lines,
    write_booklet as write_booklet,
    card_lines as card_lines,
)
from .catalogue import (
    EXPLAINED_COLUMNS as EXPLAINED_COLUMNS,
    KINDS as KINDS,
    translate_about as translate_about,
    catalogue_page as catalogue_page,
    explain_measure as explain_measure,
    explain_measure_row as explain_measure_row,
    find_measures as find_measures,
    translate_text as translate_text,
)
from .comparison_requests import (
    RunComparisonRequest as RunComparisonRequest,
    check_options as check_options,
    check_values as check_values,
    compare_sources as compare_sources,
    find_stored_evaluation as find_stored_evaluation,
    list_stored_evaluations as list_stored_evaluations,
    store_values as store_values,
)
from .contents import (
    ReportContent as ReportContent,
    MAX_RUNS_FOR_ALL_PAIRS as MAX_RUNS_FOR_ALL_PAIRS,
    PrintedTable as PrintedTable,
    parse_run_topic as parse_run_topic,
    build_report as build_report,
    make_worked_sheets as make_worked_sheets,
    LANGUAGES as LANGUAGES,
    Language as Language,
    Method as Method,
    reproduction_command as reproduction_command,
    files_source as files_source,
    describe_method as describe_method,
    project_source as project_source,
)
from .evaluation_history import (
    make_stored_sources as make_stored_sources,
    EvaluationChange as EvaluationChange,
    InputChange as InputChange,
    StoredEvaluation as StoredEvaluation,
    evaluation_changes as evaluation_changes,
    check_floors as check_floors,
    check_not_worse as check_not_worse,
    check_evaluation_name as check_evaluation_name,
    compare_stored_evaluations as compare_stored_evaluations,
    compare_with_stored as compare_with_stored,
    stored_evaluation_rows as stored_evaluation_rows,
    file_inputs as file_inputs,
    delete_stored_evaluation as delete_stored_evaluation,
    is_study as is_study,
    store_in_file as store_in_file,
    store_in_project as store_in_project,
    make_stored_evaluation as make_stored_evaluation,
    stored_evaluations as stored_evaluations,
    make_stored_project_evaluation as make_stored_project_evaluation,
    stored_evaluations_path as stored_evaluations_path,
    newest_evaluation as newest_evaluation,
    parse_floor as parse_floor,
    read_stored_evaluations as read_stored_evaluations,
    side_inputs as side_inputs,
)
from .explanation import (
    format_column as format_column,
    explain as explain,
    require_single_explanation as require_single_explanation,
    compare_with_trec_eval as compare_with_trec_eval,
    explanation_text as explanation_text,
)
from .judge_tables import (
    AuditReport as AuditReport,
    AuditRequest as AuditRequest,
    audit_models as audit_models,
    TABLES as TABLES,
    find_judge_table as find_judge_table,
    write_audit_workbook as write_audit_workbook,
)
from .project_exports import (
    EXPORTS as EXPORTS,
    EXPORT_KINDS as EXPORT_KINDS,
    ExportOptions as ExportOptions,
    ExportResult as ExportResult,
    TREC as TREC,
    export_project as export_project,
    export_to_stream as export_to_stream,
    list_available_exports as list_available_exports,
)
from .reports import (
    EvaluatedFiles as EvaluatedFiles,
    EvaluationReport as EvaluationReport,
    REPORT_FORMATS as REPORT_FORMATS,
    ReportRequest as ReportRequest,
    WrittenReport as WrittenReport,
    report_sources as report_sources,
)
from .study import (
    reproduce_study as reproduce_study,
    read_study as read_study,
    write_study as write_study,
)
from .tables import (
    Cell as Cell,
    TABLE_FORMS as TABLE_FORMS,
    TableForm as TableForm,
    table_text as table_text,
    write_table as write_table,
)
from .trec import (
    write_trec as write_trec,
)
from .writers import (
    COPY_FORMATS as COPY_FORMATS,
    CopyFormat as CopyFormat,
    collect_report_content as collect_report_content,
    html_lines as html_lines,
    format_table as format_table,
    write_report as write_report,
)
