from .table import measure_log as measure_log
