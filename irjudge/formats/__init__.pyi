from .notebooks import read_qrels as read_qrels
from .notebooks import read_run as read_run
from .notebooks import write_qrels as write_qrels
