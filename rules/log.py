"""The log of a game: events are only ever appended; undo and redo are events too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic

from tablesight.rules.errors import IllegalEvent, IllegalLog
from tablesight.rules.game import Event, Game, Setup, StateT
from tablesight.rules.parsing import get, mapping

UNDONE = "undone"
REDONE = "redone"


@dataclass(frozen=True, slots=True)
class Timeline(Generic[StateT]):
    """A game and all its states so far.

    `done` holds the states from the initial one to the present; `undone` those that `redone` brings back, the next
    one last. Both are rebuilt from the events, so the log of events is the only truth.
    """

    game: Game[StateT]
    done: tuple[StateT, ...]
    undone: tuple[StateT, ...] = ()

    @staticmethod
    def start(game: Game[Any], setup: Setup) -> Timeline[Any]:
        """The timeline before the first event. Raises BadSetup."""
        return Timeline(game, (game.initial(setup),))

    @property
    def state(self) -> StateT:
        """The present."""
        return self.done[-1]

    @property
    def can_undo(self) -> bool:
        """Whether an `undone` event would be accepted."""
        return len(self.done) > 1

    @property
    def can_redo(self) -> bool:
        """Whether a `redone` event would be accepted."""
        return bool(self.undone)

    def apply(self, event: Event) -> Timeline[StateT]:
        """The timeline after the event, `undone` and `redone` included. Raises IllegalEvent."""
        kind = get(mapping(event, "event"), "type", "event")
        if kind == UNDONE:
            if not self.can_undo:
                raise IllegalEvent("nothing to undo: expected an earlier event that is not undone yet, got none")
            return replace(self, done=self.done[:-1], undone=(*self.undone, self.done[-1]))
        if kind == REDONE:
            if not self.can_redo:
                raise IllegalEvent("nothing to redo: expected an undone event with nothing new after it, got none")
            return replace(self, done=(*self.done, self.undone[-1]), undone=self.undone[:-1])
        return replace(self, done=(*self.done, self.game.apply(self.state, event)), undone=())


def replay(game: Game[Any], setup: Setup, events: Iterable[Event]) -> Timeline[Any]:
    """The timeline after all the events. Raises BadSetup or IllegalLog."""
    timeline = Timeline.start(game, setup)
    for index, event in enumerate(events):
        try:
            timeline = timeline.apply(event)
        except IllegalEvent as error:
            raise IllegalLog(index, str(error)) from error
    return timeline
