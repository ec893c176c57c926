// How a connection begins. Which era a server is of can only be found out by trying: a modern one answers
// `server/discover`, a legacy one `initialize`.

import type { JsonObject } from "../../../core/json/json-value.ts";
import type { Era, Reply } from "../../../core/rules/server-record.ts";
import type { EraChoice } from "../check-options.ts";
import type { Answer, Connection } from "./connection.ts";

/** The revisions that are asked for. */
const LEGACY_VERSION = "2025-11-25";
const MODERN_VERSION = "2026-07-28";
const UNSUPPORTED_VERSION = -32_022;
/** How long only the modern greeting waits. Servers that take no notice of methods they do not know answer the other. */
const MODERN_FIRST_MS = 3_000;

const META = "io.modelcontextprotocol/";

export interface Greeting {
  readonly era: Era;
  readonly reply: Reply;
}

/** What every request of the modern era carries. */
export function modernMeta(clientVersion: string): JsonObject {
  return {
    [`${META}protocolVersion`]: MODERN_VERSION,
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: { name: "waybill-check", version: clientVersion },
  };
}

/** The revision that the greeting agreed on. */
export function versionOf({ era, reply }: Greeting): string | undefined {
  if (reply.kind !== "result") return undefined;
  const version = era === "modern" ? MODERN_VERSION : reply.result["protocolVersion"];
  return typeof version === "string" ? version : undefined;
}

function isModernAnswer({ kind, ...rest }: Reply): boolean {
  if (kind === "result") return true;
  return "error" in rest && rest.error["code"] === UNSUPPORTED_VERSION;
}

class Greeter {
  readonly #connection: Connection;
  readonly #version: string;
  readonly #timeoutMs: number;

  constructor(connection: Connection, clientVersion: string, timeoutMs: number) {
    this.#connection = connection;
    this.#version = clientVersion;
    this.#timeoutMs = timeoutMs;
  }

  discover(): Promise<Answer> {
    const params = { _meta: modernMeta(this.#version) };
    return this.#connection.request("server/discover", params, this.#timeoutMs);
  }

  async initialize(): Promise<Greeting> {
    const clientInfo = { name: "waybill-check", version: this.#version };
    const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo };
    const { reply } = await this.#connection.request("initialize", params, this.#timeoutMs);
    if (reply.kind === "result") this.#connection.notify("notifications/initialized");
    return { era: "legacy", reply };
  }

  /** The modern greeting first. Where it is refused, or stays without an answer for a while, the legacy one. */
  async either(): Promise<Greeting> {
    const modern = this.discover().then(({ reply }): Greeting => ({ era: "modern", reply }));
    const early = await Promise.race([modern, late(Math.min(MODERN_FIRST_MS, this.#timeoutMs / 2))]);
    if (early !== undefined) {
      const isOver = isModernAnswer(early.reply) || early.reply.kind === "closed";
      return isOver ? early : this.initialize();
    }
    const legacy = this.initialize();
    const first = await Promise.race([modern, legacy]);
    const isUsed = first.era === "modern" ? isModernAnswer(first.reply) : first.reply.kind === "result";
    return isUsed ? first : settle(await modern, await legacy);
  }
}

/** Both have come and the first was no good. */
function settle(modern: Greeting, legacy: Greeting): Greeting {
  return isModernAnswer(modern.reply) ? modern : legacy;
}

function late(ms: number): Promise<undefined> {
  // Nobody waits for it once the answer is there.
  return new Promise((resolve) => void setTimeout(resolve, ms, undefined).unref());
}

/** Greets a server. A connection that the modern greeting broke is reported as such: the caller tries the other on a new one. */
export async function greet(
  connection: Connection,
  era: EraChoice,
  use: { readonly clientVersion: string; readonly timeoutMs: number },
): Promise<Greeting> {
  const greeter = new Greeter(connection, use.clientVersion, use.timeoutMs);
  if (era === "legacy") return greeter.initialize();
  if (era === "modern") return { era, reply: (await greeter.discover()).reply };
  return greeter.either();
}
