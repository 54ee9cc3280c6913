"""All that the pages need to let an owner calibrate their copy: from the first photo to the finished set."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.scoring.castelli.board import Board, assemble
from companion.table.calibrating.learning import Learning, Progress, Report
from companion.table.calibrations import Calibrations, Record, Scan
from companion.table.castelli.calibrating.desk import DraftCard
from companion.table.castelli.calibrating.draft import TILES, Draft
from companion.table.castelli.calibrating.kitfiles import set_record, tile_ids, write_kit
from companion.table.castelli.calibrating.naming import Naming
from companion.table.castelli.calibrating.pack import Preview, pack, preview, unpack
from companion.table.castelli.calibrating.sites import standing
from companion.table.castelli.calibrating.steps import (
    CASTLES_EACH,
    SpaceCheck,
    Step,
    TileCheck,
    space_check,
    steps,
    tile_check,
)
from companion.table.castelli.calibrating.trying import put_right, reading_of, shot_of
from companion.table.castelli.calibrating.weakness import Weakness, weaknesses
from companion.table.castelli.reading import SET, set_in
from companion.table.castelli.seen import picture_of
from companion.table.castelli.setfile import read_set
from companion.table.errors import BadInput, NotFound, TableError, Told, sentence
from companion.table.jsondoor import BadFile, read_file
from companion.table.photos import checked_jpeg
from companion.table.reader import calibrate
from companion.vision.errors import VisionError
from companion.vision.store import load

EXTRA, TRY = "extra", "try"


@dataclass(frozen=True, slots=True)
class Findings:
    """What is weak in a calibration, and what would help."""

    weak: tuple[Weakness, ...]
    advice: tuple[Told, ...]
    calibration: str
    stale: bool
    """Something was said since it was learnt."""


class Workshop(Naming):
    def __init__(self, folder: Path, calibrations: Calibrations, scan: Scan) -> None:
        super().__init__(folder)
        self.calibrations = calibrations
        self._scan = scan
        self.learning = Learning()

    def all(self) -> tuple[DraftCard, ...]:
        return tuple(_card(draft) for draft in self.drafts.all())

    def steps(self, id: str) -> tuple[Step, ...]:
        return steps(self.get(id))

    def space_check(self, id: str) -> SpaceCheck:
        return space_check(self.get(id))

    def tile_check(self, id: str) -> TileCheck:
        return tile_check(self.get(id))

    def tile_ids(self, id: str) -> dict[str, str]:
        """The names of the tiles in the set: `tiles/C3` is T07."""
        return tile_ids(self.get(id))

    # Learning

    def learn(self, id: str) -> None:
        """In the background, with the same code as `companion calibrate`."""
        draft = self.get(id)
        self._check_whole(draft)
        self.learning.start(id, lambda report: self._learn(draft, report))

    def progress(self, id: str) -> Progress | None:
        return self.learning.progress(id)

    def _learn(self, draft: Draft, report: Report) -> str:
        kit = self.drafts.place(draft.id) / "kit"
        write_kit(draft, kit, lambda file: self.drafts.photo(draft.id, file), self._standing(draft))
        name = draft.calibration or self._free_name(draft.title)
        folder = self._folder(name)
        calibrate(kit, folder, report)
        self.drafts.note(draft.id, calibration=name, learnt=draft.said)
        return name

    def _standing(self, draft: Draft) -> dict[str, list[str]]:
        """By photo of tiles: where pieces were left on the board."""
        empty = self._grounded(draft)
        roles = [role for role in draft.shots if role.partition("-")[0] == TILES]
        return {role: standing(self.looking, draft, empty, draft.shots[role]) for role in roles}

    def _folder(self, name: str) -> Path:
        """Of the calibration that was learnt before, or of a new one."""
        try:
            return self.calibrations.get(name).folder
        except NotFound:
            return self.calibrations.place_for(name)

    def _free_name(self, title: str) -> str:
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30] or "set"
        taken = {calibration.name for calibration in self.calibrations.all()}
        names = (slug, *(f"{slug}-{n}" for n in range(2, 1000)))
        return next(name for name in names if name not in taken)

    def _check_whole(self, draft: Draft) -> None:
        """Everything that is missing; then the checks of a set file, as everywhere."""
        missing = [told for step in steps(draft) for told in step.open if step.name not in ("learn", "try")]
        short = [step for step in steps(draft)[:-2] if not step.is_done]
        if short:
            raise BadInput(sentence("Something is still missing; go through the steps first."), missing)
        try:
            read_set(_json(set_record(draft)), draft.title)
        except BadFile as bad:
            problems = [Told("%(what)s", {"what": str(problem)}) for problem in bad.problems]
            raise BadInput(sentence("What was said of the set does not fit together."), problems) from None

    def report(self, id: str) -> Findings:
        draft = self.get(id)
        weak: tuple[str, ...] = ()
        if draft.calibration:
            try:
                weak = load(self.calibrations.get(draft.calibration).folder).weak
            except (VisionError, TableError) as error:
                weak = (str(error),)
        stale = draft.learnt != draft.said
        found = tuple(weaknesses(weak))
        return Findings(found, tuple(_advice(draft, found)), draft.calibration, stale)

    # Trying it

    def try_photo(self, id: str, data: bytes, key: str = "") -> tuple[str, Record]:
        """Reads a photo with what was learnt; it is kept with its reading."""
        draft = self.get(id)
        if not draft.calibration:
            raise BadInput(sentence("Let it learn first, then try it."))
        jpeg, width, height = checked_jpeg(data)
        record = dict(self._scan(jpeg, "try", self.calibrations.get(draft.calibration).folder))
        role = self.next_role(id, TRY)
        shot = shot_of(record, self.drafts.keep_photo(id, jpeg), width, height)
        self.drafts.change(id, lambda old: old.model_copy(update={"shots": {**old.shots, role: shot}}), key)
        return role, record

    def reading(self, id: str, role: str) -> Record:
        reading = self._shot(self.get(id), role).reading
        if reading is None:
            raise NotFound(sentence("This photo was not read."))
        return reading

    def read_board(self, id: str, role: str) -> Board:
        """The board as it lies on a photo that was read."""
        draft, record = self.get(id), self.reading(id, role)
        game_set = set_in(read_file(self.calibrations.get(draft.calibration).folder / SET), SET)
        return assemble(game_set, picture_of(record).assembly)

    def fix(self, id: str, role: str, place: str, truth: object, key: str = "") -> Draft:
        fixed = put_right(self.reading(id, role), place, truth)
        return self._shot_with(id, role, key, reading=fixed)

    def teach(self, id: str, role: str, key: str = "") -> Draft:
        """From now on the photo is one of those that are learnt from, with what its reading says."""
        self.reading(id, role)
        return self._shot_with(id, role, key, taught=True)

    def can_teach(self, calibration: str) -> bool:
        """Whether it was made here, so that more photos can be learnt from."""
        return any(draft.calibration == calibration for draft in self.drafts.all())

    def teach_from_play(
        self, calibration: str, photo: bytes, label: Mapping[str, Any], relearn: bool = True
    ) -> bool:
        """A photo of a running game with what really lay there; False where nothing can be taught here.

        `label` as in a kit, by the names of the set: tiles, castles, towns, resources, track; and what is
        `unknown`.
        """
        draft = next((one for one in self.drafts.all() if one.calibration == calibration), None)
        if draft is None:
            return False
        role = self.next_role(draft.id, EXTRA)
        taken = self.photograph(draft.id, role, photo)
        shot = taken.shots[role].model_copy(update={"reading": reading_of(dict(label)), "taught": True})
        self.drafts.change(draft.id, lambda old: old.model_copy(update={"shots": {**old.shots, role: shot}}))
        if relearn:
            self.learn(draft.id)
        return True

    # One file out, one file in

    def export(self, calibration: str) -> tuple[str, bytes]:
        return f"{calibration}.companion-set", pack(self.calibrations.get(calibration).folder)

    def preview(self, data: bytes) -> Preview:
        return preview(data)

    def import_set(self, data: bytes, name: str) -> str:
        unpack(data, self.calibrations.place_for(name))
        return name


def _card(draft: Draft) -> DraftCard:
    made = steps(draft)
    return DraftCard(draft.id, draft.title, draft.changed, sum(step.is_done for step in made), len(made))


def _advice(draft: Draft, weak: Sequence[Weakness]) -> Iterator[Told]:
    """Which photo would help most, from what the photos show so far."""
    shown = Counter(colour for stack in draft.castles.values() for colour in stack)
    for colour in draft.colours:
        if shown[colour] < CASTLES_EACH:
            yield Told(
                sentence(
                    "Few castles of the colour %(colour)s are shown: photograph more, also on each other."
                ),
                {"colour": colour},
            )
    if draft.castles and not any(len(stack) > 1 for stack in draft.castles.values()):
        yield Told(sentence("No castle stands on another: photograph a few that do."))
    roles = [role.partition("-")[0] for role in draft.shots]
    if any(one.is_of_tiles for one in weak):
        yield Told(
            sentence(
                "Photograph all tiles once more, from nearer and under another lamp: that tells those apart "
                "that look alike."
            )
        )
    elif roles.count("tiles") < 2:
        yield Told(sentence("All tiles once more, under another lamp, make reading surer."))
    if not any(shot.taught for shot in draft.shots.values()):
        yield Told(sentence("Try a photo of a game, put right what is wrong, and let it learn from that."))


def _json(record: Record) -> bytes:
    return json.dumps(record).encode()
