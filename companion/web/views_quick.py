"""Quick score: without a running game, one photo and the hands give the final sheet."""

from __future__ import annotations

from flask import Blueprint

pages = Blueprint("quick", __name__)
