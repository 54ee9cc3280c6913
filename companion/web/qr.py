"""A QR code as the path of a drawing, so that it scales and needs no picture file."""

from __future__ import annotations

from dataclasses import dataclass

import qrcode

BORDER = 4
"""Light modules around it, as the standard asks for."""


@dataclass(frozen=True, slots=True)
class QrPath:
    size: int
    path: str


def qr_path(text: str) -> QrPath:
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=0)
    code.add_data(text)
    code.make()
    rows = code.get_matrix()
    strokes = [
        f"M{column + BORDER} {row + BORDER}h1v1h-1z"
        for row, line in enumerate(rows)
        for column, dark in enumerate(line)
        if dark
    ]
    return QrPath(len(rows) + 2 * BORDER, "".join(strokes))
