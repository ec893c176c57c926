/** What a client may ask for again after its stream broke. Older events are forgotten. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface LoggedEvent {
  readonly id: string;
  readonly stream: number;
  readonly place: number;
  readonly bytes: Buffer;
}

/** The events of one session's streams, each with an id that says where it stands. */
export class EventLog {
  readonly #events: LoggedEvent[] = [];
  #bytes = 0;
  #last = 0;

  add(stream: number, bytes: Buffer): LoggedEvent {
    this.#last += 1;
    const event: LoggedEvent = { id: `${stream}-${this.#last}`, stream, place: this.#last, bytes };
    this.#events.push(event);
    this.#bytes += bytes.length;
    while (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES) {
      const oldest = this.#events.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes.length;
    }
    return event;
  }

  /** The stream that an id names, and what came on it later; undefined for an id that was never given. */
  after(id: string): { readonly stream: number; readonly events: readonly LoggedEvent[] } | undefined {
    const [, stream, place] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
    if (stream === undefined || place === undefined || Number(place) > this.#last) return undefined;
    const events = this.#events.filter(
      (event) => event.stream === Number(stream) && event.place > Number(place),
    );
    return { stream: Number(stream), events };
  }
}
