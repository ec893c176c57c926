/** One end of a pair of transports in memory, plain enough for every version of the SDK. */
export interface LinkedEnd {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Two ends; what one sends the other gets, as JSON text in between, so that nothing is shared. */
export function linkedPair(): readonly [LinkedEnd, LinkedEnd] {
  const ends: LinkedEnd[] = [];
  let isClosed = false;
  const make = (other: number): LinkedEnd => ({
    start: async () => {},
    send: async (message) => {
      const text = JSON.stringify(message);
      setImmediate(() => ends[other]?.onmessage?.(JSON.parse(text)));
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      for (const end of ends) end.onclose?.();
    },
  });
  const pair = [make(1), make(0)] as const;
  ends.push(...pair);
  return pair;
}
