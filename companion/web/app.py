"""The application: what the pages are made of, put together."""

from __future__ import annotations

from flask import Flask
from jinja2 import StrictUndefined

from companion.web import (
    castelli,
    stream,
    views_games,
    views_proposals,
    views_quick,
    views_seats,
    views_start,
)
from companion.web.castelli import calibrating
from companion.web.compress import zip_text
from companion.web.config import WebConfig
from companion.web.errors import tell_failures
from companion.web.language import speak_four_languages
from companion.web.page import furnish
from companion.web.rooms import Rooms
from companion.web.security import guard


def create_app(rooms: Rooms, config: WebConfig) -> Flask:
    app = Flask("companion.web", static_folder="static", template_folder="templates")
    app.config.update(
        COMPANION=config,
        ROOMS=rooms,
        MAX_CONTENT_LENGTH=config.largest_form,
        MAX_FORM_MEMORY_SIZE=config.largest_form,
        MAX_FORM_PARTS=400,
        SEND_FILE_MAX_AGE_DEFAULT=0,
        # two catalogues: the pages, and the words of the game
        BABEL_DOMAIN="messages;castelli",
        BABEL_TRANSLATION_DIRECTORIES="translations;translations",
    )
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.url_map.strict_slashes = False
    speak_four_languages(app)
    guard(app, config)
    zip_text(app)
    tell_failures(app)
    furnish(app)
    for view in (views_start, views_seats, views_games, views_proposals, views_quick, stream):
        app.register_blueprint(view.pages)
    app.register_blueprint(castelli.pages())
    app.register_blueprint(calibrating.pages())
    return app
