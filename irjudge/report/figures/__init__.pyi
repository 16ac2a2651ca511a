from .chart import (
    Axis as Axis,
    Bars as Bars,
    CURVES as CURVES,
    Chart as Chart,
    DOTS as DOTS,
    FITS as FITS,
    Figure as Figure,
    FigureWish as FigureWish,
    Line as Line,
    LineSeries as LineSeries,
    MOST_CHOSEN as MOST_CHOSEN,
    Points as Points,
    RANKS as RANKS,
    catalogue as catalogue,
    find_figure as find_figure,
)
from .curves import (
    JudgedRankings as JudgedRankings,
    project_rankings as project_rankings,
    rankings as rankings,
)
from .drawing import (
    DARK_FIGURE as DARK_FIGURE,
    FigureColours as FigureColours,
    LIGHT_FIGURE as LIGHT_FIGURE,
    LOOKS as LOOKS,
)
from .files import (
    DPI as DPI,
    FORMS as FORMS,
    LARGEST as LARGEST,
    SIZE as SIZE,
    figure_bytes as figure_bytes,
    form_of as form_of,
    write_figure as write_figure,
)
from .judges import (
    JudgeAudits as JudgeAudits,
)
from .systems_and_topics import (
    needed_chart as needed_chart,
)
