"""From the box to the first scan in a real browser: a set that nobody has seen, named from its cardboard."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image, ImageEnhance, ImageFilter
from playwright.sync_api import Page, Route, expect

from companion.cli import main
from companion.table.scanner import Scanner
from tests.table.calibrating.owner import Owner
from tests.web.asking import Browser as Asking
from tests.web.castelli.browser_owner import PATIENT, BrowserOwner
from tests.web.chromium import PHONE, Browser, axe_violations, phone
from tests.web.house import House, open_house
from tests.web.test_pages import HEAVIEST, TOO_SMALL, TOO_WIDE
from tools.kitmaker.kit import Order, write_kit

SEED, SIZE, GAMES = 917, (1600, 1200), 2
MOST_TAPS = 300
SECONDS_A_TAP, SECONDS_A_PHOTO, PHOTOS = 2.5, 30, 4
"""What a person takes: to look and tap, and to lay the board out for a photo."""
TOLERANCE = 0.03
"""Of all places read: how much worse the browser's calibration may be than the command's; of some 120 places
this is three."""
THUMB = (7.0, -6.0), (-8.0, -5.0), (6.0, 8.0), (9.0, -4.0)
"""Pixels by which corners are tapped wrongly, of 1600: three millimetres of the board."""

GERMAN = {
    "red": "Rot",
    "blue": "Blau",
    "green": "Grün",
    "yellow": "Gelb",
    "black": "Schwarz",
    "white": "Weiß",
}

Record = dict[str, Any]


@dataclass
class Walked:
    house: House
    owner: BrowserOwner
    kit: Path
    state: Any
    """The browser's cookies: it came in by the host's link."""

    @property
    def id(self) -> str:
        return self.owner.labels.id

    @property
    def path(self) -> str:
        return f"/calibrations/make/{self.id}"

    def asking(self) -> Asking:
        browser = Asking(self.house.address)
        browser.get(self.house.host_link.removeprefix(self.house.address))
        return browser


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Walked]:
    """Every step was gone through, and the set is learnt."""
    kit = tmp_path_factory.mktemp("walk") / "kit"
    write_kit(kit, Order(seed=SEED, games=GAMES, size=SIZE))
    with (
        open_house(tmp_path_factory.mktemp("owner"), scan=Scanner()) as house,
        phone(chromium, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.goto(house.host_link)
        labels = Owner(kit, house.companion.workshop)
        owner = BrowserOwner(page, house.address, labels, thumb=THUMB)
        owner.calibrate()
        yield Walked(house, owner, kit, context.storage_state())


def test_a_whole_set_takes_few_taps(walked: Walked, capsys: pytest.CaptureFixture[str]) -> None:
    taps = walked.owner.taps
    total = sum(taps.values())
    minutes = (total * SECONDS_A_TAP + PHOTOS * SECONDS_A_PHOTO) / 60
    with capsys.disabled():
        steps = ", ".join(f"{step} {count}" for step, count in taps.items())
        print(f"\ncalibrating by hand: {total} taps ({steps}), about {minutes:.0f} minutes")
    assert total <= MOST_TAPS
    made = walked.house.companion.workshop.steps(walked.id)
    assert [step.name for step in made if not step.is_done] == ["try"]


def test_it_reads_as_well_as_what_the_command_learns(
    walked: Walked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = CliRunner().invoke(main, ["calibrate", str(walked.kit), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    workshop = walked.house.companion.workshop
    own = workshop.calibrations.get(workshop.get(walked.id).calibration).folder
    scan = Scanner()
    names, turned = _own_names(walked.owner.labels)
    by_hand, by_command, places = 0, 0, 0
    for number in range(1, GAMES + 1):
        photo = (walked.kit / "games" / f"{number:02d}.jpg").read_bytes()
        label = json.loads((walked.kit / "games" / f"{number:02d}.json").read_text())
        same = {name: name for name in names}
        by_hand += mistakes(scan(photo, "own", own), label, names, turned)
        by_command += mistakes(scan(photo, "kit", tmp_path / "out"), label, same, dict.fromkeys(names, 0))
        places += len(label["tiles"]) + len(label["castles"]) + len(label["towns"])
    with capsys.disabled():
        print(f"\nmistakes in {places} places: {by_hand} by hand, {by_command} by the command")
    assert by_hand <= by_command + TOLERANCE * places


def _own_names(labels: Owner) -> tuple[dict[str, str], dict[str, int]]:
    """What the kit's tiles are called in the browser's set, and how they lie on the photo they come from."""
    ids = labels.workshop.tile_ids(labels.id)
    names, turned = {}, {}
    for role in ("tiles", "castles"):
        for cell, lies in labels.labels[role]["tiles"].items():
            if isinstance(lies, dict):
                names[lies["tile"]], turned[lies["tile"]] = ids[f"{role}/{cell}"], lies["turns"]
    return names, turned


def mistakes(read: Record, label: Record, names: dict[str, str], turned: dict[str, int]) -> int:
    """Tiles, castles and towns that were read otherwise than they lay; sites go by their space's colours."""
    wrong: int = 0
    for cell, lies in label["tiles"].items():
        seen = read["tiles"][cell]
        if isinstance(lies, dict):
            told = ("up", names[lies["tile"]], (lies["turns"] - turned[lies["tile"]]) % 4)
            wrong += int((seen["state"], seen.get("tile"), seen.get("turns")) != told)
        else:
            wrong += int(seen["state"] != lies)
    tops = Counter((site.split("/")[0], stack[-1]) for site, stack in label["castles"].items() if stack)
    seen_tops = Counter(
        (site.split("/")[0], castle["stack"][-1])
        for site, castle in read["castles"].items()
        if castle["stack"]
    )
    towns = {cell: town["kind"] for cell, town in read["towns"].items() if town["kind"]}
    wrong += max((tops - seen_tops).total(), (seen_tops - tops).total())
    different = [c for c in {*towns, *label["towns"]} if towns.get(c) != label["towns"].get(c)]
    return wrong + len(different)


def test_every_page_is_there_for_everybody(walked: Walked, chromium: Browser) -> None:
    """axe-core finds nothing, nothing is wider than the screen, what can be tapped is large enough."""
    walked.asking().upload(
        f"{walked.path}/try", "photo", _photo(walked, "games/01"), {"key": "tried-for-axe"}
    )
    found = {}
    for language, scheme in (("en-GB", "light"), ("de-AT", "dark")):
        tall = {**PHONE, "height": 4000}
        with phone(
            chromium,
            language,
            viewport=tall,
            color_scheme=scheme,
            reduced_motion="reduce",
            storage_state=walked.state,
        ) as context:
            page = context.new_page()
            for path in _paths(walked):
                page.goto(walked.house.address + path)
                complaints = [*axe_violations(page), *page.evaluate(TOO_WIDE), *page.evaluate(TOO_SMALL)]
                if complaints:
                    found[f"{path} {language}"] = complaints
    assert found == {}


def _paths(walked: Walked) -> list[str]:
    site = walked.owner.labels.workshop.sites(walked.id)[0].key
    steps = "board grid spaces spaces/P1/B1 frame tiles tiles/tiles/A1 castles scales/wood learn try"
    return [
        "/calibrations",
        "/calibrations/new",
        walked.path,
        *(f"{walked.path}/{step}" for step in [*steps.split(), "scales/track", "photos"]),
        f"{walked.path}/castles/{site}",
        f"{walked.path}/try/try-1",
        f"{walked.path}/try/try-1/tiles/A1",
        f"{walked.path}/try/try-1/castles/{site}",
        f"{walked.path}/try/try-1/towns/B1",
    ]


def test_pages_weigh_little(walked: Walked, chromium: Browser) -> None:
    weigh = """() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
        .filter((one) => !one.name.includes('/photos/')).reduce((sum, one) => sum + one.transferSize, 0)"""
    heavy = {}
    for path in ("spaces/P1/B1", "tiles", "castles", "scales/track"):
        with phone(chromium, storage_state=walked.state) as context:
            page = context.new_page()
            page.goto(f"{walked.house.address}{walked.path}/{path}", wait_until="load")
            heavy[path] = page.evaluate(weigh)
    assert {path: weight for path, weight in heavy.items() if weight > HEAVIEST} == {}


BAD: dict[str, Callable[[Image.Image], Image.Image]] = {
    "dark": lambda p: ImageEnhance.Brightness(p).enhance(0.1),
    "blurred": lambda p: p.filter(ImageFilter.GaussianBlur(8)),
    "cropped": lambda p: p.crop((int(p.width * 0.4), 0, p.width, p.height)),
    "wrong": lambda p: Image.effect_noise((600, 450), 90).convert("RGB"),
}
WORSE: dict[str, Callable[[Image.Image], Image.Image]] = {
    "dark": lambda p: ImageEnhance.Brightness(p).enhance(0.02),
    "cropped": lambda p: p.crop((0, 0, p.width // 3, p.height // 3)),
}
"""A calibration that is learnt reads what is of no use to learn from."""
SAYS = {
    "dark": ("dunkel", "Spielplan"),
    "blurred": ("unscharf", "verwackelt"),
    "cropped": ("abgeschnitten", "Spielplan", "Ecken"),
    "wrong": ("Spielplan", "unscharf", "verwackelt"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("role", ["start", "tiles", "castles", "tiles-", "try"])
def test_a_bad_photo_gets_a_sentence_that_says_what_to_do(walked: Walked, role: str, kind: str) -> None:
    browser = walked.asking()
    browser.language = "de"
    good = walked.house.companion.workshop.get(walked.id)
    picture = Image.open(io.BytesIO(_photo(walked, "games/01" if role == "try" else "setup/start")))
    path = f"{walked.path}/try" if role == "try" else f"{walked.path}/photos/{role}"
    spoilt = io.BytesIO()
    spoil = BAD[kind] if role != "try" else WORSE.get(kind, BAD[kind])
    spoil(picture.convert("RGB")).save(spoilt, "JPEG", quality=90)
    answer = browser.upload(path, "photo", spoilt.getvalue(), {"key": f"bad-{role}-{kind}"})
    assert answer.status in (400, 404, 422), answer.body[:200]
    assert any(word in answer.sentence for word in SAYS[kind]), answer.sentence
    assert walked.house.companion.workshop.get(walked.id) == good


def _photo(walked: Walked, name: str) -> bytes:
    return (walked.kit / f"{name}.jpg").read_bytes()


def test_what_was_misread_is_put_right_and_taught(walked: Walked) -> None:
    page = walked.owner.page
    walked.owner.try_photo(walked.kit / "games" / "02.jpg")
    page.locator(".photo-list a").last.click()
    page.wait_for_url("**/try/try-*")
    page.wait_for_load_state("load")
    label = json.loads((walked.kit / "games" / "02.json").read_text())
    names, turned = _own_names(walked.owner.labels)
    cell, lies = next((c, lies) for c, lies in label["tiles"].items() if isinstance(lies, dict))
    page.locator(f'a[href$="/tiles/{cell}"]').dispatch_event("click")
    page.locator(f'#sheet a[href$="tile={names[lies["tile"]]}"]').click()
    turns = (lies["turns"] - turned[lies["tile"]]) % 4
    page.locator(f'#sheet button[name=turns][value="{turns}"]').click()
    expect(page.locator("#sheet")).to_be_hidden()
    page.get_by_role("button", name="All of it is right now: learn from it").click()
    expect(page.get_by_text("You said something since it was learnt")).to_be_visible()
    draft = walked.house.companion.workshop.get(walked.id)
    assert [role for role, shot in draft.shots.items() if shot.taught]
    _undone(walked)
    page.wait_for_url("**/try")
    assert not [
        role for role, shot in walked.house.companion.workshop.get(walked.id).shots.items() if shot.taught
    ]


def _undone(walked: Walked) -> None:
    walked.owner.tap(walked.owner.button("Undo"))


def test_undo_leads_to_where_something_changes(walked: Walked) -> None:
    page = walked.owner.page
    page.goto(f"{walked.house.address}{walked.path}/tiles/tiles/C3")
    chosen = page.locator('button[value^="silver"][aria-pressed="true"]').get_attribute("value")
    page.locator('button[value^="silver"][aria-pressed="false"]').first.click()
    walked.owner.settled()
    page.get_by_role("button", name="Right, next").click()
    page.wait_for_url("**/tiles")
    _undone(walked)
    page.wait_for_url("**/tiles/tiles/C3")
    expect(page.locator(f'button[value="{chosen}"]')).to_have_attribute("aria-pressed", "true")


def test_corners_are_nudged_by_keys_and_by_buttons(walked: Walked) -> None:
    page, workshop = walked.owner.page, walked.house.companion.workshop
    page.goto(f"{walked.house.address}{walked.path}/board")

    def corner() -> tuple[float, float]:
        return workshop.get(walked.id).shots["empty"].corners[0]

    before = corner()
    page.locator(".pin").first.focus()
    page.keyboard.press("ArrowRight")
    _until(page, lambda: corner()[0] > before[0])
    walked.owner.settled()
    beside = corner()
    page.get_by_role("button", name="down", exact=True).click()
    _until(page, lambda: corner()[1] > beside[1])
    walked.owner.settled()
    _undone(walked)
    _until(page, lambda: corner() == beside)
    _undone(walked)
    _until(page, lambda: corner() == before)


def test_taps_that_are_faster_than_the_network_all_arrive(walked: Walked) -> None:
    """The second tap comes while the first is on its way, and the third leads to another page."""
    page, workshop = walked.owner.page, walked.house.companion.workshop
    before = workshop.get(walked.id)

    def slowly(route: Route) -> None:
        page.wait_for_timeout(400)
        route.continue_()

    page.goto(f"{walked.house.address}{walked.path}/tiles/tiles/A1")
    page.route("**/tiles/tiles/A1", slowly)
    values = {side: 6 if before.tiles["tiles/A1"].sides[side][1] != 6 else 5 for side in (0, 1)}
    for side, value in values.items():
        page.locator(f'button[value="value {side} {value}"]').click(no_wait_after=True)
    page.get_by_role("button", name="Right, next").click(no_wait_after=True)
    page.wait_for_url("**/tiles")
    page.unroute("**/tiles/tiles/A1")
    said = workshop.get(walked.id).tiles["tiles/A1"]
    assert {side: said.sides[side][1] for side in (0, 1)} == values
    for _ in values:
        workshop.undo(walked.id)
    assert workshop.get(walked.id).tiles == before.tiles


def test_a_tap_without_connection_is_sent_when_it_is_back(walked: Walked) -> None:
    page, workshop = walked.owner.page, walked.house.companion.workshop
    before = workshop.get(walked.id)
    page.goto(f"{walked.house.address}{walked.path}/tiles/tiles/A1")
    page.context.set_offline(True)
    for silver in (1, 2, 0) if before.tiles["tiles/A1"].silver != 0 else (1, 0, 2):
        page.locator(f'button[value="silver {silver}"]').click()
    expect(page.locator("#say-tile .form-error")).to_contain_text("did not arrive")
    assert workshop.get(walked.id) == before
    page.context.set_offline(False)
    _until(page, lambda: workshop.get(walked.id).tiles["tiles/A1"].silver == silver)
    expect(page.locator("#say-tile .form-error")).to_be_hidden()
    while workshop.get(walked.id).tiles != before.tiles:
        workshop.undo(walked.id)


def test_a_photo_without_connection_goes_where_it_belongs(walked: Walked) -> None:
    """The page has a form for each photo; the one that got lost is sent by its own."""
    page, workshop = walked.owner.page, walked.house.companion.workshop
    before = workshop.get(walked.id)
    page.goto(f"{walked.house.address}{walked.path}/photos")
    page.context.set_offline(True)
    form = page.locator("form[data-scan]").filter(has_text="The start of a game")
    form.locator("input[type=file]").first.set_input_files(walked.kit / "setup" / "start.jpg")
    expect(form.locator(".form-error")).to_contain_text("kept here")
    page.context.set_offline(False)
    _until(page, lambda: workshop.get(walked.id).number > before.number)
    now = workshop.get(walked.id)
    assert [role for role in now.shots if now.shots[role] != before.shots[role]] == ["start"]
    expect(page.locator("#offline")).to_be_hidden()
    workshop.undo(walked.id)


def _until(page: Page, true: Callable[[], bool]) -> None:
    for _ in range(PATIENT // 50):
        if true():
            return
        page.wait_for_timeout(50)
    pytest.fail("it did not come to that")


def test_the_set_goes_out_as_one_file_and_comes_in_with_a_preview(
    walked: Walked, chromium: Browser, tmp_path: Path
) -> None:
    name = walked.house.companion.workshop.get(walked.id).calibration
    file = tmp_path / "mine.companion-set"
    file.write_bytes(walked.asking().get(f"/calibrations/{name}.companion-set").body)
    with open_house(tmp_path / "friend") as friend, phone(chromium) as context:
        page = context.new_page()
        page.goto(friend.host_link)
        page.goto(f"{friend.address}/calibrations")
        page.get_by_text("Take in a friend’s set").click()
        page.locator("#set-file").set_input_files(file)
        page.get_by_role("button", name="Look at it first").click()
        expect(page.get_by_label("Keep it under this name")).to_be_visible()
        assert axe_violations(page) == []
        page.get_by_label("Keep it under this name").fill("from-a-friend")
        page.get_by_role("button", name="Keep this set").click()
        page.wait_for_url("**/calibrations")
        expect(page.get_by_role("heading", name="My Castelli")).to_be_visible()
        assert "from-a-friend" in [one.name for one in friend.table.sets()]


def test_only_the_host_calibrates(walked: Walked) -> None:
    stranger = Asking(walked.house.address)
    for path in _paths(walked):
        assert stranger.get(path).status == 403, path
    for path in ("undo", "learn", "grid", "spaces/P1/B1", "photos/start/remove", "delete"):
        assert stranger.post(f"{walked.path}/{path}", {"do": "undo", "key": "stranger-1"}).status == 403, path
    assert walked.house.companion.workshop.get(walked.id)


def test_a_colour_has_one_name_whatever_the_language(walked: Walked, chromium: Browser) -> None:
    """A German owner reads and writes Rot; the set keeps the name that every language knows."""
    workshop = walked.house.companion.workshop
    before = workshop.get(walked.id)
    with phone(chromium, "de-DE", storage_state=walked.state) as context:
        page = context.new_page()
        page.goto(f"{walked.house.address}{walked.path}/tiles")
        shown = [field.input_value() for field in page.locator("input[name=name]").all()]
        assert shown == [GERMAN[colour] for colour in before.colours]
        page.locator("input[name=name]").first.fill("lila")
        page.get_by_role("button", name="Umbenennen").click()
        _until(page, lambda: workshop.get(walked.id).number > before.number)
    assert workshop.get(walked.id).colours == ("purple", *before.colours[1:])
    workshop.undo(walked.id)
