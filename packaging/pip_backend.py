"""How pip builds the package: scikit-build-core, and a line every two seconds while it compiles.

A batch of sources takes longer than a person believes that something goes on. pip turns its sign at each line of a build, and
shows the lines themselves with -v."""

import contextlib
import threading
import time

from scikit_build_core import build as _build
from scikit_build_core.build import *  # noqa: F403  # the other hooks

EVERY_SECONDS = 2.0


@contextlib.contextmanager
def _telling(what):
    ended = threading.Event()
    begun = time.monotonic()

    def tell():
        while not ended.wait(EVERY_SECONDS):
            print(f"recmeter: {what} for {time.monotonic() - begun:.0f} s", flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with _telling("building"):
        return _build.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    with _telling("building"):
        return _build.build_editable(wheel_directory, config_settings, metadata_directory)
