from .dialog import (
    Dialog as Dialog,
    ask as ask,
    growing as growing,
)
from .document_view import (
    DocumentView as DocumentView,
    run_as_read as run_as_read,
    write_rows as write_rows,
)
from .fields import (
    ChoiceBox as ChoiceBox,
    NumberField as NumberField,
)
from .grades import (
    CHIP_HEIGHT as CHIP_HEIGHT,
    CHIP_RADIUS as CHIP_RADIUS,
    CHIP_WIDTH as CHIP_WIDTH,
    GRADE_LEVEL_ROLE as GRADE_LEVEL_ROLE,
    GRADE_TEXT_ROLE as GRADE_TEXT_ROLE,
    GradeBar as GradeBar,
    GradeButtons as GradeButtons,
    GradeChipDelegate as GradeChipDelegate,
    GradeLabel as GradeLabel,
    draw_chip as draw_chip,
)
from .inputs import (
    Chips as Chips,
    DateField as DateField,
)
from .key_caps import (
    KEY_SEPARATOR as KEY_SEPARATOR,
    KeyButton as KeyButton,
    KeyCapDelegate as KeyCapDelegate,
    key_list as key_list,
    keycap as keycap,
)
from .layout import (
    Beside as Beside,
    Bounded as Bounded,
    Button as Button,
    Complaint as Complaint,
    Flow as Flow,
    GUTTER as GUTTER,
    Held as Held,
    LinkButton as LinkButton,
    Paged as Paged,
    Part as Part,
    breakable as breakable,
    button as button,
    card as card,
    clear as clear,
    column as column,
    flowing as flowing,
    labelled as labelled,
    offer as offer,
    row as row,
    scrolling as scrolling,
    selectable as selectable,
    style_as as style_as,
    text as text,
    together as together,
    words_height as words_height,
)
from .navigation import (
    Rail as Rail,
    Tab as Tab,
    Tabs as Tabs,
)
from .pictures import (
    DocumentPicture as DocumentPicture,
    read_address as read_address,
    read_picture as read_picture,
)
from .qr_code import (
    QrCode as QrCode,
    paint_code as paint_code,
)
from .result_card import (
    ResultCard as ResultCard,
    ShownResult as ShownResult,
    Span as Span,
)
from .status import (
    Meter as Meter,
    NEXT_STEP as NEXT_STEP,
    StatePage as StatePage,
    Stated as Stated,
    WrittenFile as WrittenFile,
)
from .table import (
    ASIDE_ROLE as ASIDE_ROLE,
    BELOW_ROLE as BELOW_ROLE,
    CELL_PADDING as CELL_PADDING,
    FilterLine as FilterLine,
    HEAT_ROLE as HEAT_ROLE,
    PREFIX_ROLE as PREFIX_ROLE,
    PlaceDelegate as PlaceDelegate,
    SIGN_ROLE as SIGN_ROLE,
    SUBTITLE_ROLE as SUBTITLE_ROLE,
    ScoreDelegate as ScoreDelegate,
    TABLE_ROW_HEIGHT as TABLE_ROW_HEIGHT,
    Table as Table,
    TitledDelegate as TitledDelegate,
    WrittenDelegate as WrittenDelegate,
    heat_colour as heat_colour,
)
from .text_marks import (
    FindBar as FindBar,
    TextMarks as TextMarks,
    TextSpan as TextSpan,
    eye as eye,
    in_view as in_view,
    next_place as next_place,
    scroll_to as scroll_to,
    show_place as show_place,
)
from .theme import (
    CONTROL as CONTROL,
    FAMILIES as FAMILIES,
    QUIET as QUIET,
    SPACE_L as SPACE_L,
    SPACE_M as SPACE_M,
    SPACE_S as SPACE_S,
    SPACE_XL as SPACE_XL,
    SPACE_XS as SPACE_XS,
    Theme as Theme,
    apply_script as apply_script,
    apply_theme as apply_theme,
    current_theme as current_theme,
    dress as dress,
    ink_on as ink_on,
    locale_of_words as locale_of_words,
    opposite as opposite,
    wanted_theme as wanted_theme,
    zoomed as zoomed,
)
