"""Companion: a photo of a real board goes in, a score that every player can check goes out."""

import os

# Products of many small matrices are slower on several threads than on one: set before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
