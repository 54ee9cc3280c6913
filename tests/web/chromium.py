"""The system's own chromium, driven by playwright: nothing is downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

PHONE: Any = {"width": 360, "height": 740}
LAPTOP: Any = {"width": 1280, "height": 800}
NAMES = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # a camera that films a moving test picture, and nobody to ask whether it may
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]
PATIENCE = 15_000
"""Milliseconds: only ever reached by a test that fails."""


def find_chromium() -> str:
    found = os.environ.get("COMPANION_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail(
            "The tests of the pages need a chromium: install it (Debian: apt-get install chromium), "
            "or name one in COMPANION_CHROMIUM."
        )
    return found


@contextmanager
def launched() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=SWITCHES)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def phone(browser: Browser, language: str = "en-GB", **settings: Any) -> Iterator[BrowserContext]:
    """A browser of its own, with no cookies; a console error fails the test."""
    context = browser.new_context(**{"viewport": PHONE, "has_touch": True, "locale": language, **settings})
    context.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    context.on("console", lambda message: _note(complaints, message.type, message.text))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    try:
        yield context
    finally:
        context.close()
    assert not complaints, complaints


def _note(complaints: list[str], kind: str, text: str) -> None:
    """The browser itself notes refused requests and lost connections as errors; scripts are meant here."""
    if kind == "error" and not text.startswith("Failed to load resource"):
        complaints.append(text)


def axe_violations(page: Page) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA, each with the element."""
    axe = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(axe)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("(tags) => axe.run(document, {runOnly: tags})", tags)
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:160]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


__all__ = ["LAPTOP", "PHONE", "Browser", "Error", "Page", "axe_violations", "launched", "phone"]
