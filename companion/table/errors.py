"""What can go wrong at the table: each error has a status, a fixed name and a sentence that translates.

The sentence is kept as a template and its values, because players read it in four languages; `str(error)`
is the English one. Whoever shows errors does so in one place, by `status`, `template` and `values`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


def sentence(text: str) -> str:
    """Marks a text for the translators' tools and leaves it as it is."""
    return text


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence with places for values: `Told("%(n)s tiles", {"n": 3})`."""

    template: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % self.values if self.values else self.template.replace("%%", "%")


class TableError(Exception):
    """Something a player has to be told."""

    status = 400
    code = "bad_request"

    def __init__(self, template: str, problems: Iterable[Told] = (), /, **values: object) -> None:
        self.template = template
        self.values = values
        self.problems = tuple(problems)
        """Everything that is wrong, where it is more than the sentence says."""
        super().__init__(str(Told(template, values)))


class NotFound(TableError):
    status = 404
    code = "not_found"


class NotAllowed(TableError):
    status = 403
    code = "not_allowed"


class TooManyTries(TableError):
    status = 429
    code = "too_many_tries"


class Stale(TableError):
    """Somebody else was faster."""

    status = 409
    code = "stale"


class BadInput(TableError):
    status = 422
    code = "bad_input"


class NotAnswered(BadInput):
    """A proposal cannot be confirmed while a question is open."""

    code = "not_answered"


class BoardNotFound(BadInput):
    """The photo shows no board that can be read."""

    code = "board_not_found"


class TooLarge(TableError):
    status = 413
    code = "too_large"


class NotAPhoto(TableError):
    status = 415
    code = "not_a_photo"


class Busy(TableError):
    status = 503
    code = "busy"


class StorageFailed(TableError):
    """The disk took nothing: what was asked for has not happened."""

    status = 507
    code = "storage_failed"


class StorageDamaged(TableError):
    """What is on the disk cannot be trusted; it is left as it is."""

    status = 500
    code = "storage_damaged"


class StorageInUse(TableError):
    """Another Companion works on the same folder."""

    status = 503
    code = "storage_in_use"
