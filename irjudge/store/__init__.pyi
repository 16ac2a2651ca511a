from .assignments import (
    ASSESSOR as ASSESSOR,
    ASSIGNMENT as ASSIGNMENT,
    HANDED_IN as HANDED_IN,
    PROJECT as PROJECT,
    Person as Person,
    ROLE as ROLE,
    RULES as RULES,
    Returned as Returned,
    Round as Round,
    SIDE_KEY as SIDE_KEY,
)
from .lock_and_journals import (
    is_project as is_project,
    clear_leftovers as clear_leftovers,
    lock_of as lock_of,
)
from .connection import (
    Writes as Writes,
)
from .erasure import (
    holders as holders,
    is_erased as is_erased,
    write_without as write_without,
)
from .events import (
    EventLog as EventLog,
    LOSSES as LOSSES,
    losses_in as losses_in,
    losses_in_words as losses_in_words,
)
from .import_files import (
    Sources as Sources,
    import_into as import_into,
    import_queries as import_queries,
    new_project as new_project,
    remember_columns as remember_columns,
    remembered_columns as remembered_columns,
    sample_sources as sample_sources,
)
from .import_report import (
    ImportReport as ImportReport,
    import_reports as import_reports,
    keep_report as keep_report,
    say_strangers as say_strangers,
    say_textless as say_textless,
    sparing_sources as sparing_sources,
)
from .presentation import (
    DEFAULT_DOCUMENTS_PER_PAGE as DEFAULT_DOCUMENTS_PER_PAGE,
    DOCUMENTS_PER_PAGE as DOCUMENTS_PER_PAGE,
    MAX_DOCUMENTS_PER_PAGE as MAX_DOCUMENTS_PER_PAGE,
    MIN_DOCUMENTS_PER_PAGE as MIN_DOCUMENTS_PER_PAGE,
    SHOWN_FIELDS as SHOWN_FIELDS,
    checked_several as checked_several,
    facts_in as facts_in,
    facts_of as facts_of,
    is_pictured as is_pictured,
    page_around as page_around,
    several_of as several_of,
    show_fields as show_fields,
    shown_names as shown_names,
    shown_of as shown_of,
    shown_picture as shown_picture,
    shown_rows as shown_rows,
    with_shown as with_shown,
)
from .project import (
    ADVICE as ADVICE,
    CALIBRATION as CALIBRATION,
    Calibration as Calibration,
    INSTRUCTIONS as INSTRUCTIONS,
    OWNER as OWNER,
    Project as Project,
    SUFFIX as SUFFIX,
    create as create,
    open_project as open_project,
    sides_in_words as sides_in_words,
    sides_of as sides_of,
)
from .rankings import (
    Stored as Stored,
)
from .rescue_project import (
    rescue as rescue,
)
from .returned_file import (
    Guest as Guest,
    MAX_EVENTS as MAX_EVENTS,
    MAX_EVENT_BYTES as MAX_EVENT_BYTES,
    ReturnedRow as ReturnedRow,
    Rows as Rows,
    Spool as Spool,
    read_guest as read_guest,
)
from .search_index import (
    IndexState as IndexState,
    Listing as Listing,
    SearchHit as SearchHit,
    SearchIndex as SearchIndex,
    find_documents as find_documents,
    listing as listing,
    project_alike as project_alike,
    project_postings as project_postings,
)
from .sessions import (
    CODE as CODE,
    Completion as Completion,
    ELSEWHERE as ELSEWHERE,
    ENDED as ENDED,
    KeptSession as KeptSession,
    LEADER as LEADER,
    LINKED as LINKED,
    OPEN as OPEN,
    PAUSED as PAUSED,
    Participant as Participant,
    one_person as one_person,
)
