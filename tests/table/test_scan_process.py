"""Photos are read beside the table: errors come back, and a reader that dies takes nobody along."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.bundled import bundled
from companion.table.castelli.design import CASTLE
from companion.table.errors import BadInput, BoardNotFound, NotAPhoto
from companion.table.scan_process import ScanProcess
from tests.table.tabletop import jpeg_of

CALIBRATION = bundled("calibration")


@pytest.fixture(scope="module")
def reader() -> Iterator[ScanProcess]:
    process = ScanProcess()
    yield process
    process.close()


def test_it_reads_with_the_calibration_of_a_folder(reader: ScanProcess) -> None:
    assert set(reader.paints(CALIBRATION, CASTLE)) == {"red", "blue", "green", "yellow"}


def test_what_is_wrong_comes_back_as_a_sentence_that_translates(reader: ScanProcess, tmp_path: Path) -> None:
    with pytest.raises(NotAPhoto) as damaged:
        reader(b"\xff\xd8 not much of a photo", "photo", CALIBRATION)
    assert damaged.value.template.startswith("This photo is damaged.")
    with pytest.raises(BadInput) as missing:
        reader(jpeg_of({}), "photo", tmp_path)
    assert missing.value.template == "The calibration cannot be used: %(why)s"
    assert str(tmp_path) in str(missing.value.values["why"])


def test_a_reader_that_dies_is_told_of_and_replaced(reader: ScanProcess) -> None:
    reader.paints(CALIBRATION, CASTLE)
    assert reader._process is not None and reader._process.pid is not None
    os.kill(reader._process.pid, signal.SIGSTOP)  # it hangs, and is then ended like a decoder that crashes
    asked: list[Exception] = []

    def ask() -> None:
        try:
            reader(jpeg_of({}), "photo", CALIBRATION)
        except BoardNotFound as error:
            asked.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    os.kill(reader._process.pid, signal.SIGKILL)
    asking.join()
    assert "Reading this photo failed" in str(asked[0])
    assert reader.paints(CALIBRATION, CASTLE)


def test_a_reader_that_hangs_is_not_waited_for_without_end(tmp_path: Path) -> None:
    hanging = ScanProcess(patience=0)
    with pytest.raises(BoardNotFound, match="Reading this photo failed"):
        hanging(b"", "photo", tmp_path)
    assert hanging._process is None
