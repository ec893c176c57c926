// What `--log-level debug` tells of requests other than tool calls: one line for each that a server got, with its outcome
// and duration. Calls are told with what was changed in their results. Nothing of what was asked or answered is in a line.

import { roundMs } from "../../../engine/call/call-events.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { type JsonValue, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import type { Link, LinkListener } from "../../../engine/transport/link.ts";
import { kindOf, toBytes } from "../../../engine/transport/raw-message.ts";

/** `error`: the member of this name in the answer. */
export type TellRequest = (
  method: JsonValue | undefined,
  startedAt: number,
  error: JsonValue | undefined,
) => void;

const MAX_METHOD_LENGTH = 64;

/** Undefined unless these lines were asked for: then nothing is measured. */
export function requestTeller({
  options,
  log,
}: Pick<ContractState, "options" | "log">): TellRequest | undefined {
  if (options.logLevel !== "debug") return undefined;
  return (method, startedAt, error) => {
    if (typeof method !== "string" || method === "tools/call") return;
    const code = isJsonObject(error) ? error["code"] : undefined;
    log.debug("request", {
      method: method.slice(0, MAX_METHOD_LENGTH),
      upstream: options.name,
      outcome: error === undefined ? "success" : "error",
      ...(typeof code === "number" ? { code } : {}),
      duration_ms: roundMs(performance.now() - startedAt),
    });
  };
}

/** Open requests; of more at once, some are not told. */
const MAX_OPEN = 10_000;
/** A longer answer is a result: no error is so long. */
const MAX_ERROR_BYTES = 65_536;

interface Asked {
  readonly method: string;
  readonly startedAt: number;
}

/** A client's link that tells its requests when they are answered. */
class ToldLink implements Link {
  readonly #link: Link;
  readonly #tell: TellRequest;
  /** By the text of the request's id. */
  readonly #asked = new Map<string, Asked>();

  constructor(link: Link, tell: TellRequest) {
    this.#link = link;
    this.#tell = tell;
  }

  get waitingBytes(): number | undefined {
    return this.#link.waitingBytes;
  }

  hold(isHeld: boolean): void {
    this.#link.hold?.(isHeld);
  }

  send(message: Uint8Array | string): void {
    if (this.#asked.size > 0) this.#answered(toBytes(message));
    this.#link.send(message);
  }

  listen(listener: LinkListener): void {
    this.#link.listen({
      ...listener,
      message: (bytes) => {
        this.#request(bytes);
        listener.message(bytes);
      },
    });
  }

  close(): void {
    this.#asked.clear();
    this.#link.close();
  }

  #request(bytes: Buffer): void {
    const { kind, method, rawId } = kindOf(bytes);
    if (kind !== "request" || this.#asked.size >= MAX_OPEN) return;
    this.#asked.set(rawId, { method, startedAt: performance.now() });
  }

  #answered(bytes: Buffer): void {
    const { kind, rawId } = kindOf(bytes);
    const asked = kind === "response" ? this.#asked.get(rawId) : undefined;
    if (asked === undefined) return;
    this.#asked.delete(rawId);
    const json = bytes.length > MAX_ERROR_BYTES ? undefined : jsonIn(bytes.toString());
    this.#tell(asked.method, asked.startedAt, isJsonObject(json) ? json["error"] : undefined);
  }
}

/** The link itself, unless its requests are to be told. */
export function toldLink(client: Link, state: ContractState): Link {
  const tell = requestTeller(state);
  return tell === undefined ? client : new ToldLink(client, tell);
}
