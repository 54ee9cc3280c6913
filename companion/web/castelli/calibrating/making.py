"""A set in the making as its pages see it: who may come, how far it is, and what the steps are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, request

from companion.table.castelli.calibrating.draft import Draft
from companion.table.castelli.calibrating.steps import Step
from companion.table.castelli.calibrating.workshop import Workshop
from companion.table.castelli.rulebook import Gift, Kind
from companion.table.errors import BadInput, Told, sentence
from companion.web.castelli.tinctures import Palette, palette
from companion.web.castelli.tongue import Lazy, lazy
from companion.web.castelli.words import colour_name, gift_name, kind_name
from companion.web.page import check_house, done, form_key, show
from companion.web.rooms import rooms
from companion.web.told import told

pages = Blueprint("calibrating", __name__, url_prefix="/calibrations")

PAGE_OF = {"empty": "board", "tiles": "tiles", "start": "castles", "castles": "tiles", "extra": "photos"}
"""Where a photo is seen, by what it shows."""

TITLES: Mapping[str, Lazy] = {
    "board": lazy("The empty board"),
    "grid": lazy("The grid"),
    "spaces": lazy("The landscape spaces"),
    "frame": lazy("The frame"),
    "tiles": lazy("The heraldic tiles"),
    "castles": lazy("Castles, villages and cities"),
    "scales": lazy("Charts and victory point track"),
    "learn": lazy("Let it learn"),
    "try": lazy("Try it"),
}
HELP: Mapping[str, Lazy] = {
    "board": lazy(
        "Put the four board pieces into the frame, with nothing on them. Photograph the board from above, "
        "all of it, under even light."
    ),
    "grid": lazy(
        "The lines should run along the octagons, and the squares lie where tiles lie. Move the grid until "
        "they do."
    ),
    "spaces": lazy(
        "Each octagon is shown large, with what Companion believes to see. Put right what is wrong; the "
        "more you have named, the better it guesses."
    ),
    "frame": lazy("What does the frame show beside each meadow? Name one of each; the rest is proposed."),
    "tiles": lazy(
        "Lay all heraldic tiles face up on the meadows of the board and photograph them from above. Then "
        "name colour and value of each side, as the tile lies in the picture."
    ),
    "castles": lazy(
        "Photograph the board as at the start of a game; then castles of every colour, some of them on "
        "each other, beside the start tiles."
    ),
    "scales": lazy(
        "Tap the first and the last space of each chart and of the track. The rest is placed in between; "
        "drag what lies wrong."
    ),
    "learn": lazy("Companion learns the print of your copy from your photos. It takes about a minute."),
    "try": lazy("Scan a photo of a game, look at what was read, and put right what is wrong."),
}


@dataclass(frozen=True, slots=True)
class Making:
    """The draft as it stands, and its steps."""

    draft: Draft
    steps: tuple[Step, ...]
    can_undo: bool
    can_redo: bool

    @property
    def id(self) -> str:
        return self.draft.id

    @property
    def done(self) -> int:
        return sum(step.is_done for step in self.steps)

    @property
    def next(self) -> Step | None:
        """The first step that is open and can be done now."""
        return next((step for step in self.steps if step.ready and not step.is_done), None)

    def number(self, name: str) -> int:
        return [step.name for step in self.steps].index(name) + 1

    def step(self, name: str) -> Step:
        return self.steps[self.number(name) - 1]

    def beside(self, name: str, by: int) -> Step | None:
        at = self.number(name) - 1 + by
        return self.steps[at] if 0 <= at < len(self.steps) else None


def workshop() -> Workshop:
    return rooms().workshop


def making(id: str) -> Making:
    """Only the host teaches."""
    check_house()
    shop = workshop()
    return Making(shop.get(id), shop.steps(id), shop.can_undo(id), shop.can_redo(id))


def show_step(template: str, made: Making, step: str, **context: Any) -> Response:
    return show(
        f"castelli/calibrating/{template}.html",
        making=made,
        draft=made.draft,
        id=made.id,
        step=made.step(step),
        titles=TITLES,
        help=HELP,
        palette=draft_palette(made.draft),
        words_of={
            **{kind.value: kind_name(kind) for kind in Kind},
            **{gift.value: gift_name(gift) for gift in Gift},
        },
        **context,
    )


def draft_palette(draft: Draft) -> Palette:
    """The colours as the tiles show them, once both are known."""
    names = {colour: colour_name(colour) for colour in draft.colours}
    seen = {}
    if draft.colours and any(role.partition("-")[0] in ("tiles", "castles") for role in draft.shots):
        seen = {view.name: view.rgb for view in workshop().palette(draft.id) if view.name}
    return palette(draft.colours, seen, names)


def order() -> list[str]:
    """What a form's button says: `kind 0 wood`."""
    words = request.form.get("do", "").split(" ")
    if not words or not words[0] or len(words) > 8:
        raise misunderstood()
    return words


def misunderstood() -> BadInput:
    return BadInput(sentence("This cannot be understood; reload the page and try again."))


def whole(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.lstrip("-").isdigit() and len(text) < 6 and least <= int(text) <= most):
        raise misunderstood()
    return int(text)


def number(name: str) -> float:
    """A length or a place on a picture, from a form."""
    try:
        value = float(request.form.get(name, ""))
    except ValueError:
        raise misunderstood() from None
    if not -100_000 < value < 100_000:  # and no NaN
        raise misunderstood()
    return value


def spoken(sentences: tuple[Told, ...]) -> list[str]:
    """The colours in them in the reader's language as well."""
    return [told(one.template, _named(one.values)) for one in sentences]


def _named(values: Mapping[str, object]) -> dict[str, object]:
    return {name: colour_name(str(v)) if name.endswith("colour") else v for name, v in values.items()}


@pages.get("/make/<id>")
def steps(id: str) -> Response:
    made = making(id)
    return show(
        "castelli/calibrating/steps.html",
        making=made,
        draft=made.draft,
        id=id,
        titles=TITLES,
        open_sentences={step.name: spoken(step.open) for step in made.steps},
    )


@pages.get("/new")
def new() -> Response:
    check_house()
    return show("castelli/calibrating/new.html")


@pages.post("/new")
def make() -> Response:
    check_house()
    form_key()
    draft = workshop().new(request.form.get("title", ""))
    return done("calibrating.board", id=draft.id)


@pages.post("/make/<id>/name")
def rename(id: str) -> Response:
    check_house()
    workshop().rename(id, request.form.get("title", ""), form_key())
    return done("calibrating.steps", id=id)


@pages.post("/make/<id>/delete")
def delete(id: str) -> Response:
    check_house()
    workshop().delete(id)
    return done("start.calibrations")


@pages.post("/make/<id>/undo")
def undo(id: str) -> Response:
    """Leads to where something changed, so that it is seen."""
    check_house()
    before = workshop().get(id)
    after = workshop().redo(id) if request.form.get("do") == "redo" else workshop().undo(id)
    page, where = _page_of_change(before, after)
    return done(f"calibrating.{page}", id=id, **where)


def _page_of_change(before: Draft, after: Draft) -> tuple[str, dict[str, str]]:
    if key := _differs(before.spaces, after.spaces):
        piece, _, cell = key.partition("/")
        return "space", {"piece": piece, "cell": cell}
    if key := _differs(before.tiles, after.tiles) or next(iter({*before.bare} ^ {*after.bare}), ""):
        role, _, cell = key.partition("/")
        return ("tile", {"role": role, "cell": cell}) if role in after.shots else ("tiles", {})
    if before.frame != after.frame:
        return "frame", {}
    if name := _differs(before.scales, after.scales):
        return "scale", {"name": name}
    if before.castles != after.castles:
        return "castles", {}
    if before.colours != after.colours:
        return "tiles", {}
    if role := _differs(before.shots, after.shots):
        page = PAGE_OF.get(role, "photos") if not role.startswith("try-") else "attempts"
        return page, {}
    return ("grid" if after.geometry else "steps"), {}


def _differs(before: Mapping[str, object], after: Mapping[str, object]) -> str:
    """The first name under which they hold something else."""
    return next((name for name in {**before, **after} if before.get(name) != after.get(name)), "")
