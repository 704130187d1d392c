"""The program: recmeter COMMAND ..., or python -m recmeter COMMAND ..."""

import os
import pathlib
import sys


def main() -> None:
    program = pathlib.Path(__file__).parent / "bin" / "recmeter"
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
