"""A calibration source of any game: `source.json` and its photos, checked at the door.

The format is documented in calibration/README.md. What comes out is the vision room's own frozen value;
problems are reported all at once, each with its place in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from companion.table.jsondoor import BadFile, Problem, parse, problems_of, read_file, read_text
from companion.table.source_format import FacesIn, FaceUp, GridIn, PhotoIn, PiecesIn, SheetIn, SourceIn
from companion.vision.model import (
    NOTHING,
    Assembly,
    Design,
    Faces,
    Labelled,
    PieceForm,
    Pieces,
    Place,
    Polygon,
    Scale,
    Sheet,
    Slot,
    Source,
    Thing,
)

VERSION = 1


def load_source(folder: Path) -> Source:
    path = folder / "source.json"
    value, repeated = parse(read_text(read_file(path), str(path)), str(path))
    if isinstance(value, dict) and isinstance(value.get("version"), int) and value["version"] > VERSION:
        newer = f"of version {value['version']}, newer than this program reads ({VERSION})"
        what = f"this source is {newer}: update the program."
        raise BadFile(str(path), [Problem("version", what)])
    try:
        file = SourceIn.model_validate(value)
    except ValidationError as error:
        raise BadFile(str(path), repeated + problems_of(error, ())) from None
    if problems := repeated + list(_problems(file, folder)):
        raise BadFile(str(path), problems)
    design = _design(file)
    return Source(design, tuple(_labelled(photo, design, folder) for photo in file.photos))


def _problems(file: SourceIn, folder: Path) -> Iterator[Problem]:
    """Names that lead nowhere."""
    shapeless = [name for name, sheet in file.sheets.items() if (sheet.size is None) == (not sheet.parts)]
    for name in shapeless:
        yield Problem(f"sheets.{name}", 'a sheet has either "size" or "parts".')
    if not file.assemblies and len(file.sheets) > 1:
        yield Problem("assemblies", "more than one sheet, but nothing says how they are laid out.")
    for a, assembly in enumerate(file.assemblies):
        for p, place in enumerate(assembly.places):
            for sheet_name in place.sheets:
                if sheet_name not in file.sheets:
                    yield Problem(f"assemblies[{a}].places[{p}].sheets", f"there is no sheet {sheet_name}.")
    for name, slots in file.slots.items():
        if name not in file.sheets:
            yield Problem(f"slots.{name}", f"there is no sheet {name}.")
        held = [slots.holds] if isinstance(slots, GridIn) else [slot.holds for slot in slots]
        for holds in sorted(set(held) - set(file.things)):
            yield Problem(f"slots.{name}", f'"things" does not say what {holds} is.')
    for s, scale in enumerate(file.scales):
        if scale.sheet not in file.sheets:
            yield Problem(f"scales[{s}].sheet", f"there is no sheet {scale.sheet}.")
    if not shapeless:
        yield from _photo_problems(file, folder)


def _photo_problems(file: SourceIn, folder: Path) -> Iterator[Problem]:
    known = {f"{sheet}/{slot.name}": slot for sheet in file.slots for slot in _slots(file, sheet)}
    assemblies = {assembly.name: assembly for assembly in _assemblies(file)}
    spaces = {f"{scale.name}/{name}": len(scale.spaces) for scale in file.scales for name in scale.markers}
    for p, photo in enumerate(file.photos):
        at = f"photos[{p}]"
        if Path(photo.photo).name != photo.photo or not (folder / photo.photo).is_file():
            yield Problem(f"{at}.photo", f"there is no photo {photo.photo} beside the file.")
        if photo.assembly is not None and photo.assembly not in assemblies:
            yield Problem(f"{at}.assembly", f"there is no assembly {photo.assembly}.")
        for name, shown in photo.shows.items():
            if name not in known:
                yield Problem(f'{at}.shows["{name}"]', "there is no such slot (sheet/slot).")
            elif unknown := set(_thing(shown).names) - set(known[name].holds.names):
                yield Problem(f'{at}.shows["{name}"]', f"{', '.join(sorted(unknown))} cannot lie there.")
        for name, space in photo.markers.items():
            if not 0 <= space < spaces.get(name, 0):
                yield Problem(f'{at}.markers["{name}"]', "there is no such marker (scale/marker) or space.")


def _design(file: SourceIn) -> Design:
    return Design(
        name=file.name,
        sheets={name: Sheet(name, _parts(sheet)) for name, sheet in file.sheets.items()},
        assemblies=_assemblies(file),
        slots={sheet: tuple(_slots(file, sheet)) for sheet in file.slots},
        scales=tuple(
            Scale(s.name, s.sheet, tuple(s.spaces), tuple(s.markers), s.radius) for s in file.scales
        ),
        forms={
            name: PieceForm(name, form.height, form.footprint, form.paint)
            for name, form in file.forms.items()
        },
    )


def _parts(sheet: SheetIn) -> tuple[Polygon, ...]:
    if sheet.size is None:
        return tuple(tuple(part) for part in sheet.parts)
    return (_rectangle(0.0, 0.0, *sheet.size),)


def _rectangle(left: float, top: float, width: float, height: float) -> Polygon:
    right, bottom = left + width, top + height
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _assemblies(file: SourceIn) -> tuple[Assembly, ...]:
    if not file.assemblies:  # a game with one sheet needs no more said
        name, sheet = next(iter(file.sheets.items()))
        spots = [spot for part in _parts(sheet) for spot in part]
        left, top = min(x for x, _ in spots), min(y for _, y in spots)
        right, bottom = max(x for x, _ in spots), max(y for _, y in spots)
        corners = _rectangle(left, top, right - left, bottom - top)
        return (Assembly(name, (Place(name, (name,), 0.0, 0.0),), corners),)
    return tuple(
        Assembly(
            assembly.name,
            tuple(
                Place(place.name, tuple(place.sheets), *place.at, tuple(place.turns), place.pivot)
                for place in assembly.places
            ),
            tuple(assembly.corners),
        )
        for assembly in file.assemblies
    )


def _slots(file: SourceIn, sheet: str) -> Iterator[Slot]:
    given = file.slots[sheet]
    if isinstance(given, GridIn):
        for row in range(given.rows):
            for column in range(given.columns):
                left = given.origin[0] + column * given.pitch[0]
                top = given.origin[1] + row * given.pitch[1]
                name = f"{chr(ord('A') + column)}{row + 1}"
                yield Slot(name, sheet, _rectangle(left, top, *given.size), _holds(file.things[given.holds]))
    else:
        for slot in given:
            if slot.holds in file.things:  # otherwise reported with the other problems
                yield Slot(slot.name, sheet, tuple(slot.polygon), _holds(file.things[slot.holds]))


def _holds(thing: FacesIn | PiecesIn) -> Faces | Pieces:
    if isinstance(thing, PiecesIn):
        return Pieces(tuple(thing.pieces), thing.most, thing.anywhere)
    return Faces(
        names=tuple(thing.faces),
        turns=thing.turns,
        thickness=thing.thickness,
        size=thing.size,
        shift=thing.shift,
        twist=thing.twist,
        plain=tuple(thing.plain),
        once=tuple(thing.once),
        parts={name: tuple(words) for name, words in thing.parts.items()},
    )


def _thing(shown: str | FaceUp | list[str] | None) -> Thing:
    if shown is None:
        return NOTHING
    if isinstance(shown, FaceUp):
        return Thing((shown.face,), shown.turns)
    return Thing((shown,) if isinstance(shown, str) else tuple(shown))


def _labelled(photo: PhotoIn, design: Design, folder: Path) -> Labelled:
    assembly = next(a for a in design.assemblies if photo.assembly in (None, a.name))
    laid = {place.name: (place.sheets[0], place.turns[0]) for place in assembly.places}
    laid |= {place: (given.sheet, given.turned) for place, given in photo.arrangement.items()}
    things: dict[tuple[str, str], Thing] = {}
    if photo.rest == "empty":
        for sheet, _ in laid.values():
            things |= {(sheet, slot.name): NOTHING for slot in design.slots.get(sheet, ())}
    for name, shown in photo.shows.items():
        sheet, _, slot_name = name.partition("/")
        things[sheet, slot_name] = _thing(shown)
    return Labelled(
        photo=folder / photo.photo,
        assembly=assembly.name,
        corners=tuple(photo.corners),
        arrangement=laid,
        things=things,
        markers=_marker_spaces(photo.markers),
        covered=photo.covered,
    )


def _marker_spaces(markers: Mapping[str, int]) -> dict[tuple[str, str], int]:
    spaces: dict[tuple[str, str], int] = {}
    for name, space in markers.items():
        scale, _, marker = name.rpartition("/")
        spaces[scale, marker] = space
    return spaces
