import { randomUUID } from "node:crypto";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { SessionOptions } from "../../../engine/session/message-session.ts";
import { forgetSession } from "../forget-session.ts";
import { ProxySession } from "./proxy-session.ts";

/** The one that was longest not used goes first; its client only has to say its name and wishes again. */
const MAX_SESSIONS = 10_000;

/** The sessions of one HTTP server that pass through here, by who calls and by the name the server gave them. */
export class ProxySessions {
  readonly #state: ContractState;
  readonly #options: SessionOptions;
  readonly #sessions = new Map<string, ProxySession>();
  readonly #byServerName = new Map<string, Set<ProxySession>>();

  constructor(state: ContractState, options: SessionOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** For one request, or for a greeting whose session has no name yet. */
  create(): ProxySession {
    return new ProxySession(this.#state, this.#options);
  }

  /** The session a client names. One that is not known here may be known to the server: another replica greeted it. */
  find(principal: string, id: string): ProxySession {
    const known = this.#sessions.get(keyOf(principal, id));
    const session = known ?? this.create();
    if (known === undefined) this.#name(session, { client: id, server: id });
    this.#keep(principal, id, session);
    return session;
  }

  /**
   * The server has named a session that it opened. A name that another session has here would make the two one: the
   * client of the later one then hears a name of ours instead.
   */
  add(principal: string, given: string, session: ProxySession): void {
    const client = this.#byServerName.has(given) ? randomUUID() : given;
    this.#name(session, { client, server: given });
    this.#keep(principal, client, session);
  }

  /** What the server calls the session that a client names. */
  serverName(principal: string, id: string): string {
    return this.#sessions.get(keyOf(principal, id))?.names?.server ?? id;
  }

  #name(session: ProxySession, names: NonNullable<ProxySession["names"]>): void {
    const namesakes = this.#byServerName.get(names.server) ?? new Set();
    session.names = names;
    this.#byServerName.set(names.server, namesakes.add(session));
    if (namesakes.size > 1) for (const each of namesakes) each.isNamesake = true;
  }

  #keep(principal: string, id: string, session: ProxySession): void {
    const key = keyOf(principal, id);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#end(oldest);
  }

  /** The server has ended it, or does not know it any more. */
  drop(principal: string, id: string): void {
    const key = keyOf(principal, id);
    // A name that the server never accepted is only claimed.
    if (this.#sessions.get(key)?.isAccepted === true) void forgetSession(this.#state, id);
    this.#end(key);
  }

  close(): void {
    for (const key of this.#sessions.keys()) this.#end(key);
  }

  #end(key: string): void {
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    if (session === undefined) return;
    const server = session.names?.server ?? "";
    const namesakes = this.#byServerName.get(server);
    if (namesakes?.delete(session) === true && namesakes.size === 0) this.#byServerName.delete(server);
    void session.messages.closed();
  }
}

function keyOf(principal: string, id: string): string {
  return `${principal}\n${id}`;
}
