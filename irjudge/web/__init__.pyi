from .postgres_store import (
    open_database_session as open_database_session,
    read_sessions as read_sessions,
)
from .host import (
    MIN_PARTICIPANTS as MIN_PARTICIPANTS,
    MIN_VOTES as MIN_VOTES,
    LiveResults as LiveResults,
    ParticipantQuality as ParticipantQuality,
    SessionQuality as SessionQuality,
    free_empty as free_empty,
    list_unopened_seats as list_unopened_seats,
    exclude_returned as exclude_returned,
    run_host_request as run_host_request,
    live_results as live_results,
    compute_session_quality as compute_session_quality,
    round_status as round_status,
)
from .page import (
    HTML as HTML,
    choose_file_format as choose_file_format,
    page_translations as page_translations,
    rewrite_page as rewrite_page,
)
from .participants import (
    ASK as ASK,
    CONTINUE as CONTINUE,
    CrowdPanel as CrowdPanel,
    PANELS as PANELS,
    StartPage as StartPage,
    SurveyQuestion as SurveyQuestion,
    read_returned_submissions as read_returned_submissions,
    save_start_page as save_start_page,
    load_start_page as load_start_page,
    load_panel as load_panel,
    make_question_id as make_question_id,
    read_survey as read_survey,
)
from .safe_html import (
    REPORT_POLICY as REPORT_POLICY,
    to_browser_document as to_browser_document,
    image_data_url as image_data_url,
)
from .scheduler import (
    DEFAULT_LEASE as DEFAULT_LEASE,
    ORDERS as ORDERS,
    Order as Order,
    SchedulingOptions as SchedulingOptions,
)
from .server import (
    Server as Server,
)
from .server_address import (
    ServerAddress as ServerAddress,
    DEFAULT_PORTS as DEFAULT_PORTS,
    likely_addresses as likely_addresses,
    local_addresses as local_addresses,
    local_names as local_names,
    make_address as make_address,
)
from .session import (
    FAREWELL_SECONDS as FAREWELL_SECONDS,
    SharedSession as SharedSession,
)
from .session_options import (
    JOIN_MODES as JOIN_MODES,
    Join as Join,
    SessionRequest as SessionRequest,
    SessionOptions as SessionOptions,
    begin_session as begin_session,
    plan_session as plan_session,
    find_resumable as find_resumable,
)
from .session_state import (
    ParticipantStatus as ParticipantStatus,
    SessionStatus as SessionStatus,
)
from .session_store import (
    StoreOpener as StoreOpener,
    open_project_session as open_project_session,
)
from .session_subject import (
    describe_pair as describe_pair,
)
from .task import (
    own_assignment as own_assignment,
)
