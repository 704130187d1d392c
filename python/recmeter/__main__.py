"""The program: python -m recmeter COMMAND ..."""

import os
import pathlib
import sys

program = pathlib.Path(__file__).parent / "bin" / "recmeter"
os.execv(program, [str(program), *sys.argv[1:]])
