"""Quick score: without a running game, one photo and the hands give the final sheet."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from companion.table.errors import BadInput, sentence
from companion.web.castelli.tinctures import palette
from companion.web.castelli.words import colour_name
from companion.web.page import check_house, form_number, show
from companion.web.rooms import rooms
from companion.web.upload import uploaded
from companion.web.views_start import open_rulings

pages = Blueprint("quick", __name__)
