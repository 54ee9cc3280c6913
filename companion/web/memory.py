"""What photos took while they were decoded goes back to the system.

A photo of 12 megapixels takes 48 MB decoded, in blocks of up to 16 MB. Once glibc has seen one freed, it
keeps the next ones for itself, in a heap for each of many threads: after 25 photos taken and looked at, the
process of the pages had grown from 104 to 768 MB. With a limit that stays, it has 165.
"""

from __future__ import annotations

import ctypes
import platform

M_MMAP_THRESHOLD = -3
"""As glibc's malloc.h names it."""
LARGE = 1 << 20
"""Bytes. Blocks from here on are the system's own as soon as they are free."""


def give_large_blocks_back() -> None:
    """For this process; other systems than glibc's do so by themselves."""
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
