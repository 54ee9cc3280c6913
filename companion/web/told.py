"""Sentences of the table room in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

import flask_babel


def told(template: str, values: Mapping[str, object]) -> str:
    """The translated sentence with its values set in."""
    translated = str(flask_babel.get_translations().ugettext(template))
    return translated % values if values else translated.replace("%%", "%")
