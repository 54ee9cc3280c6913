"""Takes one photo as tools/kitmaker/photograph.py does, with Blender between the scene and the phone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tools.kitmaker.develop import Phone, develop
from tools.kitmaker.paint import Picture
from tools.kitmaker.photograph import Watch, things_around
from tools.kitmaker.scene import Cardboard, Scene
from tools.kitmaker.table import make_table, wall_colour
from tools.kitmaker.view import Shot, View, aim
from tools.pathtrace.describe import Described, Finish, describe
from tools.pathtrace.lamps import make_room

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Quality:
    samples: int = 6
    scale: float = 0.75
    """Pixels traced along a side of the photo, as a share of its own; enlarged afterwards."""
    threads: int = 2


@dataclass(frozen=True)
class Studio:
    """A camera for tools/kitmaker/kit.py whose light is traced."""

    python: str
    """The interpreter that has bpy."""
    room: str
    finish: Finish
    quality: Quality

    def __call__(
        self,
        rng: Generator,
        scene: Scene,
        board: tuple[float, float],
        cardboard: Cardboard,
        shot: Shot,
        phone: Phone,
        hard: bool = False,
        watch: Watch = lambda scene, around, view: None,
    ) -> tuple[Picture, View]:
        view = aim(shot, board)
        around = things_around(rng, board)
        watch(scene, around, view)
        with tempfile.TemporaryDirectory() as folder:
            described = describe(
                rng, scene, around, view, make_room(rng, board, self.room), make_table(rng), wall_colour(rng),
                cardboard, self.finish, Path(folder),
            )  # fmt: skip
            seed = int(rng.integers(1 << 30))
            described["quality"] = vars(self.quality) | {"seed": seed}
            light = self._trace(described, Path(folder))
        if light.shape[:2] != view.size[::-1]:
            light = cv2.resize(light, view.size, interpolation=cv2.INTER_CUBIC).clip(0)
        return develop(rng, light, view, phone), view

    def _trace(self, described: Described, folder: Path) -> NDArray[Any]:
        """Linear BGR as the sensor sees it."""
        scene, out = folder / "scene.json", folder / "light.npy"
        scene.write_text(json.dumps(described))
        traced = subprocess.run(
            [self.python, "-m", "tools.pathtrace.blender", str(scene), str(out)],
            env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        )  # fmt: skip
        if traced.returncode or not out.exists():
            sys.exit(
                f"{self.python} did not render the scene; has it bpy 4.2? It said:\n{traced.stderr[-2000:]}"
            )
        picture = np.load(out).astype(np.float32)
        return np.ascontiguousarray(picture[..., ::-1])
