from .intervals import (
    DifferencePlot as DifferencePlot,
    DriftPlot as DriftPlot,
    INTERVAL_ROLE as INTERVAL_ROLE,
    IntervalTable as IntervalTable,
    IntervalValue as IntervalValue,
    Strength as Strength,
    StrengthsPlot as StrengthsPlot,
)
from .matrix import (
    CorrelationMatrix as CorrelationMatrix,
    Matrix as Matrix,
    MatrixArea as MatrixArea,
    MatrixPlot as MatrixPlot,
    EMPTY_MATRIX as EMPTY_MATRIX,
)
from .plot import (
    BarPlot as BarPlot,
    LinePlot as LinePlot,
    PointPlot as PointPlot,
)
from .ranking_comparison import (
    RANKED_DOCUMENT_ROLE as RANKED_DOCUMENT_ROLE,
    RankLists as RankLists,
    RankedDocument as RankedDocument,
    Venn as Venn,
)
from .topics import (
    TopicPlot as TopicPlot,
    compute_spans as compute_spans,
)
from .wide_bars import (
    WideBar as WideBar,
    WideBars as WideBars,
)
