import type { JsonObject } from "../json/json-value.ts";

const MAX_SESSIONS = 10_000;

/** What clients negotiated, for as long as something remembers them: a session, or a connection's server object. */
export class StickyChoices {
  readonly #bySession = new Map<string, JsonObject>();
  readonly #byServer = new WeakMap<object, JsonObject>();

  get(server: object, session: string | undefined): JsonObject | undefined {
    return session === undefined ? this.#byServer.get(server) : this.#bySession.get(session);
  }

  set(server: object, session: string | undefined, chosen: JsonObject): void {
    if (session === undefined) {
      this.#byServer.set(server, chosen);
      return;
    }
    this.#bySession.delete(session);
    this.#bySession.set(session, chosen);
    const [oldest] = this.#bySession.keys();
    if (this.#bySession.size > MAX_SESSIONS && oldest !== undefined) this.#bySession.delete(oldest);
  }
}
