// Reads server-sent events from a stream of text. The browser's own EventSource tells neither the status of an answer
// nor that comments arrive, and the page needs both: to say that it is signed out, and to notice a dead connection.

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** The longest event that is taken, in characters. The gateway's own are far below. */
const MAX_CHARS = 16 * 1024 * 1024;

export class EventReader {
  /** The id of the last event that had one: what to go on from. */
  lastId = "";
  #rest = "";
  #name = "";
  #data: string[] = [];
  #chars = 0;
  #endedInReturn = false;

  /** Takes a piece of the stream, however it was split, and gives the events that it completes. */
  push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    // A return at the end of the last piece already ended its line: the feed that follows belongs to it.
    const text = this.#rest + (this.#endedInReturn && piece.startsWith("\n") ? piece.slice(1) : piece);
    if (piece !== "") this.#endedInReturn = piece.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") this.#finish(events);
      else this.#take(line);
    }
    if (this.#rest.length + this.#chars > MAX_CHARS) throw new Error("An event is too long.");
    return events;
  }

  #take(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") this.#name = value;
    else if (field === "id" && !value.includes("\u0000")) this.lastId = value;
    else if (field === "data") {
      this.#data.push(value);
      this.#chars += value.length;
    }
  }

  #finish(events: ServerEvent[]): void {
    if (this.#data.length > 0) events.push({ name: this.#name || "message", data: this.#data.join("\n") });
    this.#name = "";
    this.#data = [];
    this.#chars = 0;
  }
}
