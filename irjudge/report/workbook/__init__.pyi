from .book import (
    WrittenWorkbook as WrittenWorkbook,
    write_files_workbook as write_files_workbook,
    write_project_workbook as write_project_workbook,
)
from .evaluation_sheets import (
    COMPARISON_COLUMNS as COMPARISON_COLUMNS,
    COMPARISON_MEANS as COMPARISON_MEANS,
    CORRELATION_COLUMNS as CORRELATION_COLUMNS,
    COVERAGE as COVERAGE,
    SHOWN as SHOWN,
    beside as beside,
    curve_measures as curve_measures,
    is_count as is_count,
    kind_of as kind_of,
    need_cells as need_cells,
    only as only,
    title as title,
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
    Book as Book,
    Kind as Kind,
    LONGEST as LONGEST,
    ROWS as ROWS,
    SheetCell as SheetCell,
    WorkbookColumn as WorkbookColumn,
    new_book as new_book,
    write_table as write_table,
)
from .worked_sheet import (
    Worked as Worked,
    settings_of as settings_of,
    worked as worked,
)
