from .action_list import (
    ActionList as ActionList,
    ActionRow as ActionRow,
    AnswerButton as AnswerButton,
    KeyStrip as KeyStrip,
)
from .document_page import (
    DocumentLoader as DocumentLoader,
    DocumentMenu as DocumentMenu,
    Finder as Finder,
    MarkedDocumentLoader as MarkedDocumentLoader,
    ReasonMenu as ReasonMenu,
    ask_link as ask_link,
    ask_to_print as ask_to_print,
)
from .keyboard import (
    ACTIVITY_EVENTS as ACTIVITY_EVENTS,
    GradeEntry as GradeEntry,
    KEYPAD_DIGITS as KEYPAD_DIGITS,
    position_action as position_action,
    grade_key_text as grade_key_text,
)
from .messages import (
    Choice as Choice,
    StateMessage as StateMessage,
    describe_agreed_grade as describe_agreed_grade,
    describe_deadline as describe_deadline,
    finished_state as finished_state,
    submission_label as submission_label,
    current_receipt as current_receipt,
    describe_submission as describe_submission,
    describe_event as describe_event,
    reason_label as reason_label,
    topic_done_state as topic_done_state,
    waiting_state as waiting_state,
)
from .panels import (
    GradePanel as GradePanel,
    JudgingLayout as JudgingLayout,
    NoteField as NoteField,
    TopicPanel as TopicPanel,
    format_duration as format_duration,
    format_seconds as format_seconds,
)
from .reading_aids import (
    ReadingAids as ReadingAids,
)
from .saving import (
    MarkSaver as MarkSaver,
    JudgmentSaver as JudgmentSaver,
    PresentationTurns as PresentationTurns,
)
from .several_documents import (
    SeveralDocuments as SeveralDocuments,
)
from .submission import (
    Submission as Submission,
)
