"""Pages that know Castelli: the drawn board, the photo with its reading, the score sheet."""

from __future__ import annotations

from functools import cache

from flask import Blueprint


@cache
def pages() -> Blueprint:
    """Imported late: the views need the app's pages, which need the colours of this package."""
    from companion.web.castelli import views, views_result, views_shared

    views_result.add_to(views.pages)
    views_shared.add_to(views.pages)
    return views.pages
