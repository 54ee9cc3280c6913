"""`companion serve`: the table for everybody's phone."""

from __future__ import annotations

import errno
import io
import logging
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import click
import qrcode

from companion.commands.demo_table import set_up_demo
from companion.table.bundled import REFERENCE, bundled
from companion.table.castelli.design import CASTLE
from companion.table.errors import TableError
from companion.table.scan_process import ScanProcess
from companion.web.certificate import fingerprint, tls_context
from companion.web.config import WebConfig
from companion.web.memory import give_large_blocks_back
from companion.web.network import ANYWHERE, asked_as, own_hosts, page_address, phones_ask
from companion.web.opening import Companion
from companion.web.server import Server

CANNOT_START = 1
PORT = 8765


@dataclass(frozen=True, slots=True)
class Serving:
    """How a table is served, as the command line says it."""

    host: str
    port: int
    data: Path
    https: bool = False
    names: tuple[str, ...] = ()
    open_browser: bool = False


def data_folder() -> Path:
    """Where programs of this system keep their data."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Companion"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "Companion"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "companion"


def browsers_names(
    _context: click.Context, _option: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """As browsers send them; whole addresses are a slip that would show only when a phone is turned away."""
    for name in names:
        try:
            asked_as(name)
        except ValueError:
            raise click.BadParameter(
                f"{name} is no name of a computer. Give the name alone, such as table.local, "
                "without http:// and port."
            ) from None
    return tuple(map(asked_as, names))


@click.command()
@click.option(
    "--host",
    default="0.0.0.0",
    show_default=True,
    help="The address to listen on; 127.0.0.1 for this computer only.",
)
@click.option(
    "--port",
    default=PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="The port to listen on; 0 takes a free one.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for games and photos.  [default: this system's data folder]",
)
@click.option(
    "--https",
    is_flag=True,
    help="Make a certificate, so that pages may use the live camera and keep the screen on.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    callback=browsers_names,
    help="Another name under which phones reach this computer.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the host's page in this computer's browser.")
@click.option(
    "--demo",
    is_flag=True,
    help="Start with a demo game in progress and a photo to scan, in a folder of its own.",
)
def serve(
    host: str,
    port: int,
    data: Path | None,
    https: bool,
    names: tuple[str, ...],
    open_browser: bool,
    demo: bool,
) -> None:
    """Serves the table: games, photos and the score, on everybody's phone.

    \b
    Example:
      companion serve --data games
    """
    folder = data or data_folder() / ("demo" if demo else "")
    serving = Serving(host, port, folder.absolute(), https, names, open_browser)
    run(serving, set_up_demo if demo else None)


def run(serving: Serving, prepare: Callable[[Companion], str] | None = None) -> None:
    """Serves until Ctrl-C. `prepare` may set up the table first; it says which page the host's link opens."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # says how deep a queue is, to nobody's use
    give_large_blocks_back()
    hosts = own_hosts(serving.host, serving.names)
    try:
        config = WebConfig(hosts, phones_ask(serving.host), serving.https)
        scanner = ScanProcess()
        companion = Companion(
            serving.data,
            config,
            scanner,
            {REFERENCE: bundled("calibration")},
            lambda folder: scanner.paints(folder, CASTLE),
        )
    except TableError as error:
        click.echo(f"Companion cannot start: {error}", err=True)
        sys.exit(CANNOT_START)
    try:
        _serve(companion, serving, prepare)
    finally:
        companion.close()
        scanner.close()


def _serve(companion: Companion, serving: Serving, prepare: Callable[[Companion], str] | None) -> None:
    page = prepare(companion) if prepare else ""
    try:
        tls = tls_context(serving.data, companion.config.hosts) if serving.https else None
    except OSError as error:
        click.echo(
            f"Companion cannot start: the certificate cannot be kept in {serving.data} "
            f"({error.strerror or error}). Make room, or choose another folder with --data.",
            err=True,
        )
        sys.exit(CANNOT_START)
    try:
        server = Server(companion.app(), companion.config, serving.host, serving.port, tls)
    except (OSError, ValueError) as error:  # waitress calls a name that nobody knows a wrong value
        click.echo(
            f"Companion cannot listen on {serving.host}, port {serving.port}: {why_not(error)}", err=True
        )
        sys.exit(CANNOT_START)
    path = f"/host/{companion.house_key}" + (f"?to={page}" if page else "")
    link = page_address(serving.host, server.port, serving.https) + path
    here = page_address("127.0.0.1", server.port, serving.https) + path
    click.echo(welcome(link, here, serving))
    if serving.open_browser:
        threading.Timer(0.5, webbrowser.open, [here if serving.host in ANYWHERE else link]).start()
    # opening a calibration takes a second or two: done now, nobody waits for it at the first page
    threading.Thread(target=companion.table.looks, args=[REFERENCE], daemon=True).start()
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda number, frame: _stop(companion))
    try:
        server.run()
    finally:
        server.close()
        click.echo("\nCompanion has stopped. Everything is kept.")


def why_not(error: Exception) -> str:
    """What keeps a server from listening, and which option to change."""
    match getattr(error, "errno", None):
        case errno.EADDRINUSE:
            return "another program listens there. Choose another port with --port."
        case errno.EACCES:
            return "it is not allowed. Choose a port above 1023 with --port."
        case _:
            return "this computer has no such address. Choose another with --host."


def _stop(companion: Companion) -> NoReturn:
    """Ends the streams first: the server waits for what is under way."""
    companion.live.close()
    raise KeyboardInterrupt


def welcome(link: str, here: str, serving: Serving) -> str:
    """What the host reads in the terminal: the link, the same as a QR code, and where things are kept."""
    lines = [
        "Companion is ready. Open this on the host's phone or computer:",
        "",
        f"  {link}",
        *([f"  {here}   (on this computer)"] if serving.host in ANYWHERE and here != link else []),
        "",
        qr_lines(link),
        "It makes that browser the host; everybody else joins by the QR code of a game.",
        f"Games and photos are kept in {serving.data}",
    ]
    if serving.https:
        lines += [
            "The certificate is this computer's own, so each phone asks once whether to trust it.",
            f"Its SHA-256 fingerprint: {fingerprint(serving.data)}",
        ]
    return "\n".join([*lines, "Ctrl-C ends it.", ""])


def qr_lines(text: str) -> str:
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, border=2)
    code.add_data(text)
    drawn = io.StringIO()
    code.print_ascii(out=drawn, invert=True)
    return drawn.getvalue()
