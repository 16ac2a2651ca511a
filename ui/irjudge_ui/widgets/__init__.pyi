from .dialog import (
    Dialog as Dialog,
    ask as ask,
    make_growing as make_growing,
)
from .document_view import (
    DocumentView as DocumentView,
    set_reading_direction as set_reading_direction,
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
    make_key_list as make_key_list,
    keycap as keycap,
)
from .layout import (
    SideBySide as SideBySide,
    MaxWidthBox as MaxWidthBox,
    Button as Button,
    FieldError as FieldError,
    Flow as Flow,
    GUTTER_WIDTH as GUTTER_WIDTH,
    ElidedLabel as ElidedLabel,
    FixedHeightLabel as FixedHeightLabel,
    LinkButton as LinkButton,
    MAX_WIDGET_SIZE as MAX_WIDGET_SIZE,
    PageScrollArea as PageScrollArea,
    Part as Part,
    make_breakable as make_breakable,
    make_button as make_button,
    make_container as make_container,
    card as card,
    clear as clear,
    column as column,
    make_flow as make_flow,
    make_grid as make_grid,
    scroll_page_to as scroll_page_to,
    with_label as with_label,
    fill_choices as fill_choices,
    row as row,
    make_scroll_area as make_scroll_area,
    make_selectable_label as make_selectable_label,
    set_style as set_style,
    show_text as show_text,
    make_label as make_label,
    make_timer as make_timer,
    named as named,
    with_tooltip as with_tooltip,
    join_horizontally as join_horizontally,
    label_height as label_height,
)
from .navigation import (
    NavigationBar as NavigationBar,
    SearchButton as SearchButton,
    Tab as Tab,
    Tabs as Tabs,
)
from .options_form import (
    OptionsForm as OptionsForm,
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
    CardContent as CardContent,
    Span as Span,
)
from .status import (
    Meter as Meter,
    NEXT_STEP as NEXT_STEP,
    StatePage as StatePage,
    StateStack as StateStack,
    WrittenFileButtons as WrittenFileButtons,
)
from .table import (
    SECONDARY_TEXT_ROLE as SECONDARY_TEXT_ROLE,
    SECOND_LINE_ROLE as SECOND_LINE_ROLE,
    CELL_PADDING as CELL_PADDING,
    FilterLine as FilterLine,
    HEAT_ROLE as HEAT_ROLE,
    PREFIX_ROLE as PREFIX_ROLE,
    PaletteDelegate as PaletteDelegate,
    QueueItemDelegate as QueueItemDelegate,
    SIGN_ROLE as SIGN_ROLE,
    SUBTITLE_ROLE as SUBTITLE_ROLE,
    ScoreDelegate as ScoreDelegate,
    TABLE_ROW_HEIGHT as TABLE_ROW_HEIGHT,
    Table as Table,
    TitledDelegate as TitledDelegate,
    TextDelegate as TextDelegate,
    heat_colour as heat_colour,
)
from .text_marks import (
    FindBar as FindBar,
    TextMarks as TextMarks,
    TextSpan as TextSpan,
    clear_selection as clear_selection,
    search_start as search_start,
    is_in_view as is_in_view,
    next_span as next_span,
    scroll_to as scroll_to,
    show_span as show_span,
)
from .theme import (
    CONTROL_FONT_SIZE as CONTROL_FONT_SIZE,
    FAMILIES as FAMILIES,
    SMALL_FONT_SIZE as SMALL_FONT_SIZE,
    SPACE_L as SPACE_L,
    SPACE_M as SPACE_M,
    SPACE_S as SPACE_S,
    SPACE_XL as SPACE_XL,
    SPACE_XS as SPACE_XS,
    Theme as Theme,
    apply_script as apply_script,
    apply_theme as apply_theme,
    current_theme as current_theme,
    apply_style as apply_style,
    choose_text_colour as choose_text_colour,
    window_locale as window_locale,
    opposite_theme as opposite_theme,
    resolve_theme as resolve_theme,
    scale_length as scale_length,
)
