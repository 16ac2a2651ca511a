from .chart import (
    Axis as Axis,
    Bars as Bars,
    CURVES as CURVES,
    Chart as Chart,
    SCATTER_POINTS as SCATTER_POINTS,
    FITS as FITS,
    Figure as Figure,
    FigureOptions as FigureOptions,
    Line as Line,
    LineSeries as LineSeries,
    MAX_CHOSEN as MAX_CHOSEN,
    Points as Points,
    DEFAULT_RANKS as DEFAULT_RANKS,
    catalogue as catalogue,
    find_figure as find_figure,
)
from .curves import (
    JudgedRankings as JudgedRankings,
    judge_project_rankings as judge_project_rankings,
    judge_rankings as judge_rankings,
)
from .drawing import (
    DARK_FIGURE as DARK_FIGURE,
    FigureColours as FigureColours,
    LIGHT_FIGURE as LIGHT_FIGURE,
    FIGURE_COLOURS as FIGURE_COLOURS,
    DPI as DPI,
    FIGURE_FORMATS as FIGURE_FORMATS,
    MAX_INCHES as MAX_INCHES,
    FIGURE_SIZE as FIGURE_SIZE,
    render_figure as render_figure,
    figure_format as figure_format,
    write_figure as write_figure,
)
from .judges import (
    JudgeAudits as JudgeAudits,
)
from .requests import (
    FigureRequest as FigureRequest,
    FigureResult as FigureResult,
    Material as Material,
    make_figure as make_figure,
    read_project_material as read_project_material,
)
from .systems_and_topics import (
    needed_topics_chart as needed_topics_chart,
)
