from .postgres_store import (
    kept_in_database as kept_in_database,
    sessions_in as sessions_in,
)
from .host import (
    LEAST_PEOPLE as LEAST_PEOPLE,
    LEAST_VOTES as LEAST_VOTES,
    LiveResults as LiveResults,
    Notice as Notice,
    Told as Told,
    free_empty as free_empty,
    free_returned as free_returned,
    led as led,
    live_results as live_results,
    notices as notices,
    round_standing as round_standing,
)
from .page import (
    HTML as HTML,
    PAGED as PAGED,
    page_translations as page_translations,
    write_again as write_again,
)
from .participants import (
    ASK as ASK,
    CONTINUE as CONTINUE,
    CrowdPanel as CrowdPanel,
    PANELS as PANELS,
    StartPage as StartPage,
    SurveyQuestion as SurveyQuestion,
    freed_in as freed_in,
    keep_start as keep_start,
    kept_start as kept_start,
    panel_called as panel_called,
    question_id as question_id,
    read_survey as read_survey,
)
from .safe_html import (
    REPORT_POLICY as REPORT_POLICY,
    paper_of as paper_of,
    picture_address as picture_address,
)
from .scheduler import (
    LEASE as LEASE,
    ORDERS as ORDERS,
    Order as Order,
    Terms as Terms,
)
from .server import (
    Server as Server,
)
from .server_address import (
    ServerAddress as ServerAddress,
    USUAL_PORTS as USUAL_PORTS,
    likely_addresses as likely_addresses,
    own_addresses as own_addresses,
    own_names as own_names,
)
from .session import (
    FAREWELL as FAREWELL,
    SharedSession as SharedSession,
)
from .session_options import (
    JOINS as JOINS,
    Join as Join,
    SessionWish as SessionWish,
    begin_session as begin_session,
    resumable as resumable,
)
from .session_state import (
    Seat as Seat,
    SessionStanding as SessionStanding,
)
from .session_store import (
    Opening as Opening,
    kept_in_project as kept_in_project,
)
from .session_subject import (
    what_is as what_is,
)
from .task import (
    own_assignment as own_assignment,
)
