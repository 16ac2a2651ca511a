from .assignments import (
    ASSESSOR_ROLE as ASSESSOR_ROLE,
    ASSIGNMENT_KEY as ASSIGNMENT_KEY,
    SUBMISSION_KEY as SUBMISSION_KEY,
    PROJECT_KEY as PROJECT_KEY,
    RegisteredAssessor as RegisteredAssessor,
    ROLE_KEY as ROLE_KEY,
    COMPARISON_RULES as COMPARISON_RULES,
    MergedFile as MergedFile,
    Round as Round,
    SIDE_KEY as SIDE_KEY,
    JOIN_CODE as JOIN_CODE,
    Completion as Completion,
    HOSTED_ELSEWHERE as HOSTED_ELSEWHERE,
    ENDED as ENDED,
    StoredSession as StoredSession,
    HOST_SECRET as HOST_SECRET,
    LINKS_ISSUED as LINKS_ISSUED,
    OPEN as OPEN,
    PAUSED as PAUSED,
    Participant as Participant,
    merge_person_ids as merge_person_ids,
)
from .lock_and_journals import (
    PROJECT_SUFFIX as PROJECT_SUFFIX,
    is_project as is_project,
    remove_leftovers as remove_leftovers,
    make_lock as make_lock,
)
from .connection import (
    ChangeCounter as ChangeCounter,
)
from .erasure import (
    BOOKLETS_KEY as BOOKLETS_KEY,
    find_projects_with_data as find_projects_with_data,
    is_erased as is_erased,
    write_without_people as write_without_people,
)
from .events import (
    EventLog as EventLog,
    LOSS_COUNTS as LOSS_COUNTS,
    parse_losses as parse_losses,
    describe_losses as describe_losses,
)
from .import_files import (
    Sources as Sources,
    import_sources as import_sources,
    scale_rules as scale_rules,
    import_queries as import_queries,
    create_project_from_files as create_project_from_files,
    save_column_mapping as save_column_mapping,
    load_column_mapping as load_column_mapping,
    sample_sources as sample_sources,
)
from .import_report import (
    ImportReport as ImportReport,
    read_import_reports as read_import_reports,
    save_import_report as save_import_report,
    warn_unknown_topics as warn_unknown_topics,
    warn_missing_texts as warn_missing_texts,
    protect_sources as protect_sources,
)
from .presentation import (
    DEFAULT_DOCUMENTS_PER_PAGE as DEFAULT_DOCUMENTS_PER_PAGE,
    DOCUMENTS_PER_PAGE as DOCUMENTS_PER_PAGE,
    MAX_DOCUMENTS_PER_PAGE as MAX_DOCUMENTS_PER_PAGE,
    MIN_DOCUMENTS_PER_PAGE as MIN_DOCUMENTS_PER_PAGE,
    SHOWN_FIELDS as SHOWN_FIELDS,
    check_documents_per_page as check_documents_per_page,
    summarise_fields as summarise_fields,
    summarise_document as summarise_document,
    has_shown_picture as has_shown_picture,
    select_page as select_page,
    read_documents_per_page as read_documents_per_page,
    set_shown_fields as set_shown_fields,
    shown_field_names as shown_field_names,
    shown_fields_of as shown_fields_of,
    shown_picture as shown_picture,
    select_fields as select_fields,
    limit_to_shown_fields as limit_to_shown_fields,
)
from .project import (
    CALIBRATION as CALIBRATION,
    Calibration as Calibration,
    INSTRUCTIONS as INSTRUCTIONS,
    OWNER_KEY as OWNER_KEY,
    Project as Project,
    create_project as create_project,
    open_project as open_project,
    describe_auxiliary_tables as describe_auxiliary_tables,
    read_auxiliary_tables as read_auxiliary_tables,
)
from .python_project import new_project as new_project
from .rankings import (
    StoredRanking as StoredRanking,
)
from .rescue_project import (
    rescue_file as rescue_file,
)
from .returned_file import (
    ReturnedFile as ReturnedFile,
    MAX_EVENTS as MAX_EVENTS,
    MAX_EVENT_BYTES as MAX_EVENT_BYTES,
    ReturnedRow as ReturnedRow,
    SpooledRows as SpooledRows,
    Spool as Spool,
    read_returned_file as read_returned_file,
)
from .search_index import (
    IndexState as IndexState,
    SearchResults as SearchResults,
    SearchHit as SearchHit,
    SearchIndex as SearchIndex,
    find_document_ids as find_document_ids,
    find_documents as find_documents,
    make_hits as make_hits,
    search_documents as search_documents,
    measure_overlaps as measure_overlaps,
    project_near_duplicates as project_near_duplicates,
    project_postings as project_postings,
)
from .soundness import RESCUE_ADVICE as RESCUE_ADVICE
