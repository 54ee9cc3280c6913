"""The server: waitress for the pages, and for --https a TLS front before it.

Waitress reads a request whole before it takes a thread, so slow phones hold nobody up; it has no TLS. The
front is a few lines of asyncio that unwrap the bytes and pass them on to waitress, which then listens on
this machine only. So both ways have the same server with the same limits, and need no second library.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from typing import Any

import waitress.server
from flask import Flask

from companion.web.config import WebConfig

THREADS_FOR_PAGES = 12
"""Beside one thread for each viewer: pages, photos and a scan or two at the same time."""
CONNECTIONS_OF_A_PHONE = 6
"""Browsers open up to six to one server."""
CHUNK = 65536
EVERY = "::"
"""Every address, of IPv6 and IPv4 alike."""

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Server:
    """Serves until it is closed. `port` is the one it has got, also where 0 was asked for."""

    def __init__(
        self, app: Flask, config: WebConfig, host: str, port: int, tls: ssl.SSLContext | None = None
    ):
        self._closed = False
        self._front = TlsFront(host, port, tls) if tls else None
        served: Wsgi = app.wsgi_app if self._front is None else self._front.with_addresses(app.wsgi_app)
        self._waitress = waitress.server.create_server(
            served,
            **(listening("127.0.0.1", 0) if self._front else listening(host, port)),
            threads=config.most_viewers + THREADS_FOR_PAGES,
            connection_limit=(config.most_viewers + THREADS_FOR_PAGES) * CONNECTIONS_OF_A_PHONE,
            max_request_body_size=config.largest_photo,
            max_request_header_size=32 * 1024,
            asyncore_use_poll=True,  # select() ends at 1024 open files
            channel_request_lookahead=1,  # a viewer who has gone is noticed
            url_scheme="https" if self._front else "http",
            ident="Companion",
            clear_untrusted_proxy_headers=True,
        )
        self.port = (
            self._front.start(inner_port(self._waitress)) if self._front else inner_port(self._waitress)
        )

    def run(self) -> None:
        try:
            self._waitress.run()
        except (OSError, ValueError):
            if not self._closed:
                raise  # otherwise: its sockets were closed under the loop, which is how it is ended

    def close(self) -> None:
        """What is under way may finish first; streams have to be ended by whoever feeds them."""
        self._closed = True
        self._waitress.task_dispatcher.shutdown()
        self._waitress.close()
        if self._front:
            self._front.close()


def listening(host: str, port: int) -> dict[str, Any]:
    """Where waitress listens. It would take "::" for the addresses of IPv6 alone."""
    return {"sockets": [every_address(port)]} if host == EVERY else {"host": host, "port": port}


def every_address(port: int) -> socket.socket:
    both = socket.has_dualstack_ipv6()
    return socket.create_server((EVERY, port), family=socket.AF_INET6, dualstack_ipv6=both)


def inner_port(server: Any) -> int:
    """Waitress names its port in one of two ways: for one socket, or for several (localhost is two)."""
    listening = getattr(server, "effective_listen", None)
    return int(listening[0][1] if listening else server.effective_port)


class TlsFront:
    """Unwraps TLS and passes the bytes on, remembering whose connection is whose."""

    def __init__(self, host: str, port: int, tls: ssl.SSLContext) -> None:
        self._host, self._port, self._tls = host, port, tls
        self._inner = 0
        self._phones: dict[str, str] = {}
        """By the port of our connection to waitress: the address of the phone."""
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tls", daemon=True)

    def start(self, inner: int) -> int:
        self._inner = inner
        self._thread.start()
        return asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def with_addresses(self, app: Wsgi) -> Wsgi:
        """The application as before, told the phone's address instead of our own."""

        def told(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            environ["REMOTE_ADDR"] = self._phones.get(environ.get("REMOTE_PORT", ""), "")
            return app(environ, start_response)

        return told

    async def _listen(self) -> int:
        # a phone that shakes no hand within ten seconds is let go
        where: dict[str, Any] = {"host": self._host, "port": self._port}
        if self._host == EVERY:
            where = {"sock": every_address(self._port)}
        self._listening = await asyncio.start_server(
            self._serve, **where, ssl=self._tls, ssl_handshake_timeout=10
        )
        return int(self._listening.sockets[0].getsockname()[1])

    async def _hang_up(self) -> None:
        """Every connection ends as if the phone had gone; whoever still shakes hands is not waited for."""
        self._listening.close()
        for phone in self._open:
            phone.transport.abort()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            _, shaking = await asyncio.wait(others, timeout=1)
            for task in shaking:
                task.cancel()

    async def _serve(self, phone_reads: asyncio.StreamReader, phone_writes: asyncio.StreamWriter) -> None:
        key = ""
        self._open.add(phone_writes)
        try:
            phone = phone_writes.get_extra_info("peername")
            if phone is None:
                return  # it shook hands and hung up
            reads, writes = await asyncio.open_connection("127.0.0.1", self._inner)
            key = str(writes.get_extra_info("sockname")[1])
            self._phones[key] = str(phone[0])
            await asyncio.gather(_pass_on(phone_reads, writes), _pass_on(reads, phone_writes))
        except OSError:
            pass  # the phone has gone, or waitress is closing
        finally:
            self._phones.pop(key, None)
            self._open.discard(phone_writes)
            phone_writes.close()


async def _pass_on(reads: asyncio.StreamReader, writes: asyncio.StreamWriter) -> None:
    try:
        while data := await reads.read(CHUNK):
            writes.write(data)
            await writes.drain()
    except (OSError, ssl.SSLError):
        pass  # either side hung up; closing the other tells it
    finally:
        with contextlib.suppress(OSError, RuntimeError):
            writes.close()
