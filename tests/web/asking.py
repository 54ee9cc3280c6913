"""A browser without a screen: sends requests to a real server, keeps its cookies, follows nothing."""

from __future__ import annotations

import http.client
import json
import re
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urlsplit

BOUNDARY = "----companion-test"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def sentence(self) -> str:
        """What an error page or an error's JSON says."""
        if self.headers.get_content_type() == "application/json":
            return str(self.json["sentence"])
        found = re.search(r'class="error-words">(.*?)</p>', self.text, re.DOTALL)
        return found.group(1).strip() if found else ""


@dataclass
class Browser:
    address: str
    language: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, b"", headers)

    def post(self, path: str, fields: dict[str, str] | None = None, **headers: str) -> Answer:
        body = urlencode(fields or {}).encode()
        return self.send("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded", **headers})

    def upload(
        self,
        path: str,
        name: str,
        data: bytes,
        fields: dict[str, str] | None = None,
        cut: int = 0,
        **headers: str,
    ) -> Answer:
        body = multipart(name, data, fields or {})
        body = body[: len(body) - cut]
        return self.send(
            "POST", path, body, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", **headers}
        )

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        sent = {
            "Host": self.host,
            "Accept-Language": self.language,
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if method != "GET":
            sent["Origin"] = self.address
            sent["Accept"] = "application/json"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        try:
            connection.request(method, path, body, {k: v for k, v in sent.items() if v})
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        return answer


def multipart(name: str, data: bytes, fields: dict[str, str]) -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
        for field, value in fields.items()
    ]
    parts.append(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="../../a.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n".encode()
    )
    return b"".join((*parts, data, f"\r\n--{BOUNDARY}--\r\n".encode()))
