"""Random legal games: invariants, and a second, naive implementation that must agree on every number."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.scoring.castelli import (
    Game,
    Modules,
    Position,
    Rulings,
    apply,
    area_states,
    event_from,
    event_record,
    game_status,
    influence,
    influence_on_space,
    position_from,
    position_record,
    read_notation,
    replay,
    score_sheet,
    status,
    write_notation,
)
from companion.scoring.castelli.awards import RimGift
from companion.scoring.castelli.position import SILVER_IN_GAME
from companion.scoring.castelli.questions import State
from tests.scoring.naive import ORDER, Naive
from tests.scoring.sets import COLOURS, laid_out, made_set
from tests.scoring.table import Table

FEW = settings(max_examples=15, deadline=None)
rulings = st.builds(
    Rulings,
    neutral_tie=st.sampled_from(["shares", "ignored"]),
    own_space=st.sampled_from(["counts", "ignored"]),
    silver_second_tie=st.sampled_from(["shared", "each"]),
    silver_zero=st.sampled_from(["nothing", "second"]),
    card_coat_builds=st.sampled_from(["yes", "no"]),
    overbuild_scope=st.sampled_from(["space", "area"]),
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    players = draw(st.sampled_from([4, 3, 2]))
    seed = draw(st.integers(0, 2**32))
    modules = Modules(draw(st.booleans()), draw(st.booleans()))
    board = laid_out(made_set(seed % 5), players, seed)
    colours = tuple(draw(st.permutations(COLOURS)))[:players]
    return Table(
        board, colours, seed, modules, draw(rulings), tells=draw(st.sampled_from([0, 0.5, 1]))
    ).whole_game()


def positions(game: Game) -> list[Position]:
    return [game.start, *(step.position for step in game.steps)]


@FEW
@given(games())
def test_a_legal_game_keeps_to_the_laws_of_the_table(game: Game) -> None:
    silver = SILVER_IN_GAME[len(game.start.players)]
    cards = 33 if game.start.modules.battle else 25
    for position in positions(game):
        assert position.silver == silver
        assert position.deck + sum(player.cards for player in position.players) == cards
        for player in position.players:
            assert all(0 <= amount <= 5 for amount in (player.wood, player.grain, player.rocks))
            assert min(player.silver, player.cards, player.castles_left) >= 0
    paid = [verdict.majority.area for step in game.steps for verdict in step.verdicts]
    paid += [a.reason.rim for step in game.steps for a in step.awards if isinstance(a.reason, RimGift)]
    assert len(paid) == len(set(paid))


@FEW
@given(games())
def test_a_legal_game_has_no_problems_at_any_moment(game: Game) -> None:
    assert game_status(game) == ()
    for position in positions(game)[::7]:
        assert status(position) == ()


@FEW
@given(games())
def test_awards_account_for_every_change(game: Game) -> None:
    before = game.start
    for step in game.steps:
        for player in step.position.players:
            own = [award for award in step.awards if award.player == player.colour]
            for name in ("wood", "grain", "rocks", "silver", "points"):
                gained = sum(award.amount for award in own if award.what == name)
                assert getattr(player, name) - getattr(before.player(player.colour), name) == gained
        before = step.position


@FEW
@given(games())
def test_a_finished_game_leaves_no_area_open(game: Game) -> None:
    states = {state.state for state in area_states(game.position).values()}
    assert states <= {State.EVALUATED, State.NEVER}


@FEW
@given(games())
def test_undo_after_apply_is_the_identity_and_replay_is_step_by_step(game: Game) -> None:
    stepwise = Game(game.start)
    for event, step in zip(game.events, game.steps, strict=True):
        after = stepwise.play(event)
        undone = after.undo()
        assert (undone.position, undone.events) == (stepwise.position, stepwise.events)
        assert after.steps[-1] == step == apply(stepwise.position, event)
        stepwise = after
    assert replay(game.start, game.events) == stepwise == game


@FEW
@given(games())
def test_notation_and_records_round_trip(game: Game) -> None:
    game_set = game.start.board.set
    for position in positions(game)[::5]:
        line = write_notation(position)
        assert "\n" not in line
        assert read_notation(line, game_set) == position
        assert position_from(position_record(position), game_set) == position
    for event in game.events:
        assert event_from(event_record(event)) == event


@settings(max_examples=40, deadline=None)
@given(games())
def test_the_naive_rules_agree_on_every_number(game: Game) -> None:
    start = game.start
    naive = Naive(
        start.board.set,
        start.board.assembly,
        start.colours,
        start.modules.battle,
        start.modules.dilemma,
        start.rulings,
    )
    for event, step in zip(game.events, game.steps, strict=True):
        naive.follow(event)
        position = step.position
        for player in position.players:
            for name in ("wood", "grain", "rocks", "silver", "cards", "points"):
                assert getattr(player, name) == getattr(naive, name)[player.colour], (event, name)
        assert (position.mine, position.deck) == (naive.mine, naive.deck)
        assert {naive.label(at): town for at, town in naive.towns.items()} == dict(position.towns)
        if not position.finished:
            assert position.evaluated == set(naive.paid)
    assert dict(score_sheet(game.position).totals) == naive.totals()
    assert dict(game.sheet().totals) == naive.totals()


@FEW
@given(games(), st.data())
def test_the_naive_influence_agrees_in_the_middle_of_a_game(game: Game, data: st.DataObject) -> None:
    stop = data.draw(st.integers(0, len(game.steps)))
    position = positions(game)[stop]
    start = game.start
    naive = Naive(start.board.set, start.board.assembly, start.colours, False, False, start.rulings)
    for cell, slot in position.tiles.items():
        if not isinstance(slot, str):
            naive.up[naive.place(cell)] = (slot.tile, slot.turns)
    for at, areas in naive.octagons.items():
        cell = naive.label(at)
        assert influence_on_space(position, cell).sums == naive.sums(at, ORDER)
        for number, area in enumerate(areas):
            assert influence(position, f"{cell}/{number}").sums == naive.sums(at, area["sides"])
