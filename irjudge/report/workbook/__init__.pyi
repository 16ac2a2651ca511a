from .book import (
    WrittenWorkbook as WrittenWorkbook,
    write_files_workbook as write_files_workbook,
    write_project_workbook as write_project_workbook,
)
from .evaluation_sheets import (
    COMPARISON_COLUMNS as COMPARISON_COLUMNS,
    COMPARISON_MEANINGS as COMPARISON_MEANINGS,
    CORRELATION_COLUMNS as CORRELATION_COLUMNS,
    COVERAGE as COVERAGE,
    CURVE_SHEETS as CURVE_SHEETS,
    by_topic_sheet as by_topic_sheet,
    curve_measures as curve_measures,
    is_count as is_count,
    column_kind as column_kind,
    need_cells as need_cells,
    title_cells as title_cells,
    title_column as title_column,
)
from .judgment_sheets import (
    DOCUMENT_COLUMNS as DOCUMENT_COLUMNS,
    ROUNDS as ROUNDS,
    ROUND_COLUMNS as ROUND_COLUMNS,
    ROUND_DOCUMENTS as ROUND_DOCUMENTS,
    ROUND_NOTE as ROUND_NOTE,
    round_document_rows as round_document_rows,
    round_rows as round_rows,
)
from .sheet_writer import (
    WorkbookWriter as WorkbookWriter,
    Kind as Kind,
    MAX_CELL_LENGTH as MAX_CELL_LENGTH,
    MAX_ROWS as MAX_ROWS,
    SheetCell as SheetCell,
    WorkbookColumn as WorkbookColumn,
    create_workbook as create_workbook,
    write_table as write_table,
)
from .worked_sheet import (
    WorkedSheet as WorkedSheet,
    worked_settings as worked_settings,
    make_worked_sheet as make_worked_sheet,
)
