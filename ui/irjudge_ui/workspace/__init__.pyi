from .action_list import (
    ActionList as ActionList,
    ActionRow as ActionRow,
    AnswerButton as AnswerButton,
)
from .document_page import (
    DocumentLoader as DocumentLoader,
    DocumentMenu as DocumentMenu,
    Finder as Finder,
    MarkedDocument as MarkedDocument,
    ReasonMenu as ReasonMenu,
    ask_link as ask_link,
    ask_to_print as ask_to_print,
)
from .keyboard import (
    ACTIVITY_EVENTS as ACTIVITY_EVENTS,
    GradeEntry as GradeEntry,
    PAD as PAD,
    action_of as action_of,
    grade_cap as grade_cap,
)
from .messages import (
    Choice as Choice,
    State as State,
    agreed as agreed,
    due_in_words as due_in_words,
    ended as ended,
    hand_in_label as hand_in_label,
    handed_in_words as handed_in_words,
    in_words as in_words,
    reason_in_words as reason_in_words,
    topic_done as topic_done,
    waiting as waiting,
)
from .panels import (
    GradePanel as GradePanel,
    JudgingLayout as JudgingLayout,
    NoteField as NoteField,
    TopicPanel as TopicPanel,
    duration as duration,
    papers as papers,
)
from .reading_aids import (
    Reading as Reading,
)
from .saving import (
    Marking as Marking,
    Saving as Saving,
    Turns as Turns,
)
from .several_documents import (
    SeveralDocuments as SeveralDocuments,
)
from .submission import (
    Submission as Submission,
)
