"""Brings the translations up to date with the program: new sentences in, old ones out, compiled.

    .venv/bin/python tools/translate.py

It writes companion/web/translations/LANGUAGE/LC_MESSAGES/{messages,castelli}.po and .mo and says what is not
translated yet. The .mo files are in the repository, so that a clone speaks all languages without this step;
a test fails when they are not up to date.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
TRANSLATIONS = ROOT / "companion" / "web" / "translations"
LANGUAGES = ("de", "it", "nl")
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "lazy": None, "sentence": None}
OPTIONS = {"trimmed": "true", "silent": "false"}


def is_castelli(file: Path) -> bool:
    """The words of the game have a catalogue of their own."""
    return "web/castelli/" in file.as_posix() or "templates/castelli/" in file.as_posix()


def sources() -> Iterator[tuple[Path, str]]:
    """Every file with sentences for readers, and how they are found in it."""
    for room in ("web", "table"):
        for file in sorted((ROOT / "companion" / room).rglob("*.py")):
            yield file, "python"
    for file in sorted((ROOT / "companion" / "web" / "templates").rglob("*.html")):
        yield file, "jinja2.ext:babel_extract"


def extracted(domain: str) -> Catalog:
    catalog = Catalog(domain=domain, project="Companion", charset="utf-8")
    for file, method in sources():
        if is_castelli(file) != (domain == "castelli"):
            continue
        place = file.relative_to(ROOT).as_posix()
        for line, message, comments, context in extract_from_file(method, file, KEYWORDS, options=OPTIONS):
            catalog.add(message, None, [(place, line)], auto_comments=comments, context=context)
    return catalog


def po_file(language: str, domain: str) -> Path:
    return TRANSLATIONS / language / "LC_MESSAGES" / f"{domain}.po"


def read(language: str, domain: str) -> Catalog:
    file = po_file(language, domain)
    if not file.exists():
        return Catalog(locale=language, domain=domain)
    with file.open("rb") as stream:
        return read_po(stream, locale=language, domain=domain)


def compiled(catalog: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def updated(language: str, domain: str, template: Catalog) -> Catalog:
    """Sentences that changed lose their translation: a near one would say something else."""
    catalog = read(language, domain)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    # the time of the run would change the files each time, and babel cannot read back that there is none
    catalog.revision_date = catalog.creation_date = datetime(2000, 1, 1, tzinfo=UTC)
    catalog.header_comment = f"# Companion: {domain}"
    catalog.project, catalog.version, catalog.msgid_bugs_address = "Companion", "1", ""
    catalog.last_translator, catalog.language_team, catalog.fuzzy = "Companion", language, False
    return catalog


def missing(catalog: Catalog) -> list[str]:
    found = []
    for message in catalog:
        texts = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if message.id and not all(texts):
            found.append(message.id if isinstance(message.id, str) else message.id[0])
    return found


def main() -> int:
    lacking = 0
    for domain in ("messages", "castelli"):
        template = extracted(domain)
        for language in LANGUAGES:
            catalog = updated(language, domain, template)
            file = po_file(language, domain)
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("wb") as stream:
                write_po(stream, catalog, width=110, omit_header=False, no_location=True, sort_output=True)
            file.with_suffix(".mo").write_bytes(compiled(read(language, domain)))
            untranslated = missing(catalog)
            lacking += len(untranslated)
            sys.stdout.write(f"{language} {domain}: {len(catalog)} sentences, {len(untranslated)} missing\n")
            for text in untranslated:
                sys.stdout.write(f"  {text}\n")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
