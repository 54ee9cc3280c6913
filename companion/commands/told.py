"""What the vision room cannot do, told to the person at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import click

from companion.vision.errors import VisionError

P = ParamSpec("P")

CANNOT = 2
"""The exit code where photos or a calibration cannot be used at all."""


def vision_errors_told(command: Callable[P, None]) -> Callable[P, None]:
    @wraps(command)
    def told(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except VisionError as error:
            click.echo(str(error), err=True)
            sys.exit(CANNOT)

    return told
