"""The rules as the web room may see them: it asks the table, never the scoring room itself."""

# ruff: noqa: F403 - this module is nothing but a door
from companion.scoring.castelli.awards import *
from companion.scoring.castelli.board import *
from companion.scoring.castelli.building import BUILDING_CARDS as BUILDING_CARDS
from companion.scoring.castelli.building import OVERBUILDING_CARDS as OVERBUILDING_CARDS
from companion.scoring.castelli.components import *
from companion.scoring.castelli.event_records import *
from companion.scoring.castelli.events import *
from companion.scoring.castelli.history import *
from companion.scoring.castelli.position import *
from companion.scoring.castelli.questions import *
from companion.scoring.castelli.records import *
from companion.scoring.castelli.rules_index import *
from companion.scoring.castelli.rulings import *
from companion.scoring.castelli.sheet import *
from companion.scoring.castelli.status import *
