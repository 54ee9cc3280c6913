"""Memory that photos took goes back to the system: seen from outside, in a process of its own."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

LOOKING = """
import io, threading
from PIL import Image
from companion.table.photofile import upright
from companion.web.memory import give_large_blocks_back

def kilobytes():
    status = open("/proc/self/status").read()
    return int(status.split("VmRSS:")[1].split()[0])

out = io.BytesIO()
Image.new("RGB", (4000, 3000), "tan").save(out, "JPEG")
give_large_blocks_back()
upright(out.getvalue())
before = kilobytes()
kept = []
for number in range(8):
    # each phone's page is made by a thread of its own, and something small outlives it
    thread = threading.Thread(target=lambda: kept.append(upright(out.getvalue()).resize((400, 300))))
    thread.start()
    thread.join()
print(kilobytes() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other systems give it back by themselves")
def test_photos_that_were_looked_at_take_no_memory() -> None:
    grown = subprocess.run([sys.executable, "-c", LOOKING], capture_output=True, text=True, check=True).stdout
    assert int(grown) < 30_000, "kB, beside one decoded photo of 48,000"
