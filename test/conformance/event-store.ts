import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface StoredEvent {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
}

/** Events of one session by number, so that a client whose stream closed can have the rest. */
export function createEventStore(): EventStore {
  const events: StoredEvent[] = [];
  const at = (eventId: string): StoredEvent | undefined => events[Number(eventId)];
  return {
    storeEvent: async (streamId, message) => String(events.push({ streamId, message }) - 1),
    getStreamIdForEventId: async (eventId) => at(eventId)?.streamId,
    replayEventsAfter: async (lastEventId, { send }) => {
      const streamId = at(lastEventId)?.streamId ?? "";
      for (const [index, event] of events.entries()) {
        if (index > Number(lastEventId) && event.streamId === streamId)
          await send(String(index), event.message);
      }
      return streamId;
    },
  };
}
