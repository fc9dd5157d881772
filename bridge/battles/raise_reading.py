"""From a request, or a record of one, to a raise with all that it needs captured."""

from __future__ import annotations

from bridge.battles.lineage import Lineages
from bridge.battles.timetable import ScheduledRaise
from bridge.pb.gcs.v1 import ges_pb2, service_pb2
from bridge.store.records import RaiseRecord, ScheduleRecord
from bridge.wire.payloads import arguments_of, event_of
from runtime.battle.ges_listeners import Heard
from runtime.battle.state import Battle


class RaiseReader:
    """Reads the raises of one battle.

    Attributes:
        lineages: The battle's last raises, which others may answer.
    """

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self.lineages = Lineages(battle.content)

    def read(self, request: ges_pb2.RaiseRequest, caller: str, heard: Heard | None) -> ScheduledRaise:
        """A raise that somebody asks for.

        Args:
            request: The raise.
            caller: Who asks for it.
            heard: What a plugin answers by it.

        Raises:
            CallError: The GUID is unknown or a payload is of the wrong type.
        """
        battle = self._battle
        event = event_of(battle, request.guid)
        arg = request.arg if request.HasField("arg") else None
        sender = request.sender if request.HasField("sender") else None
        arguments = arguments_of(battle, event, arg, sender)
        if heard is not None:
            # An event of another pack is none of this battle's.
            events = battle.content.events_by_guid
            guids = [answered.guid for answered in (*heard.lineage, heard.event)]
            answered = tuple([events[guid] for guid in guids if guid in events])
        else:
            answered = self.lineages.answered(request.answers)
        step = service_pb2.ReplayStep()
        guids = [one.guid for one in answered]
        step.raise_event.CopyFrom(service_pb2.Raise(guid=event.guid, arg=arg, sender=sender, answered=guids))
        return ScheduledRaise(request.raise_id, caller, event, arguments, answered, step.SerializeToString())

    def read_step(self, step: RaiseRecord | ScheduleRecord) -> ScheduledRaise:
        """A raise as it was recorded."""
        battle = self._battle
        raised: service_pb2.Raise = service_pb2.ReplayStep.FromString(step.step).raise_event
        event = event_of(battle, raised.guid)
        arg = raised.arg if raised.HasField("arg") else None
        sender = raised.sender if raised.HasField("sender") else None
        answered = tuple([event_of(battle, guid) for guid in raised.answered])
        arguments = arguments_of(battle, event, arg, sender)
        return ScheduledRaise(step.raise_id, step.caller, event, arguments, answered, step.step)
