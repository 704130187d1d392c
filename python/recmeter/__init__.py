"""recmeter: evaluates recommenders on their event logs.

>>> import recmeter
>>> recmeter.replay(impressions, clicks, windows="hour", segments=["variant"])     # doctest: +SKIP

replay() gives rows as a table, evaluate() the report too; compare() says which variant is better, why() why a metric changed,
explain() what happened to a list; report() writes a page; doctor() says what is wrong with a log, infer() writes a
configuration for one; prequential() judges recommenders that were not live; read_rows() and connect() get the rows of
others; plot() draws them. `recmeter` and `python -m recmeter` are the program.
"""

from ._client import Client, connect
from ._comparison import Comparison, compare
from ._errors import ConfigError, InputError, RecmeterError, Unsure
from ._evaluation import Evaluation, Finding, doctor, evaluate, explain, infer, replay, why
from ._frames import ArrowStream
from ._plot import plot
from ._prequential import prequential
from ._reasons import Explained, Why
from ._report import report
from ._rows import Rows, read_rows
from ._summary import Summary

__version__ = "0.1.0"
__all__ = [
    "ArrowStream",
    "Client",
    "Comparison",
    "ConfigError",
    "Evaluation",
    "Explained",
    "Finding",
    "InputError",
    "RecmeterError",
    "Rows",
    "Summary",
    "Unsure",
    "Why",
    "compare",
    "connect",
    "doctor",
    "evaluate",
    "explain",
    "infer",
    "plot",
    "prequential",
    "read_rows",
    "replay",
    "report",
    "why",
]
