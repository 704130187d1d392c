"""recmeter: evaluates recommenders on their event logs.

>>> import recmeter
>>> recmeter.replay(impressions, clicks, windows="hour", segments=["variant"])     # doctest: +SKIP

replay() gives rows as a table, evaluate() the report too; doctor() says what is wrong with a log, infer() writes a
configuration for one; prequential() judges recommenders that were not live; read_rows() and connect() get the rows of
others; plot() draws them. `python -m recmeter` is the program.
"""

from ._client import Client, connect
from ._errors import ConfigError, InputError, RecmeterError, Unsure
from ._evaluation import Evaluation, Finding, doctor, evaluate, infer, replay
from ._frames import ArrowStream
from ._plot import plot
from ._prequential import prequential
from ._rows import Rows, read_rows

__version__ = "0.1.0"
__all__ = [
    "ArrowStream",
    "Client",
    "ConfigError",
    "Evaluation",
    "Finding",
    "InputError",
    "RecmeterError",
    "Rows",
    "Unsure",
    "connect",
    "doctor",
    "evaluate",
    "infer",
    "plot",
    "prequential",
    "read_rows",
    "replay",
]
