// What a connection has agreed with a server of the legacy era, and how it agrees again when the server forgets.

import { jsonEqual } from "../../../core/json/canonical-json.ts";
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  jsonObjectIn,
} from "../../../core/json/json-value.ts";
import type { HttpFailure } from "./http-failure.ts";
import { readAnswer } from "./read-answer.ts";
import type { HttpAnswerListener } from "./http-target.ts";
import type { Outgoing } from "./message-headers.ts";

const MAX_SUBSCRIPTIONS = 1_000;

/** One message of the gateway itself, to open a new session. */
interface Greeting {
  readonly bytes: Buffer;
  /** The first message of a session carries no session id. */
  readonly isGreeting: boolean;
}

export interface Renewal {
  readonly maxBytes: number;
  readonly post: (greeting: Greeting, answered: HttpAnswerListener) => void;
  /** The new session is in the state of the old one. */
  readonly renewed: () => void;
  readonly failed: (why: string) => void;
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The result in a response; undefined for an error, and for anything that is not a response. */
function resultIn(bytes: Buffer | undefined): JsonObject | undefined {
  const result = jsonObjectIn(bytes?.toString("utf8") ?? "")?.["result"];
  return isJsonObject(result) ? result : undefined;
}

/** The parts of the greeting that a client relies on while it is connected. */
function promises({ protocolVersion, capabilities, instructions }: JsonObject): JsonValue {
  return [protocolVersion ?? null, capabilities ?? null, instructions ?? null];
}

function promisedVersion({ protocolVersion }: JsonObject): JsonValue {
  return protocolVersion ?? null;
}

function otherServer(isStandIn: boolean): string {
  return isStandIn
    ? "the server speaks another revision of the protocol than the client was told: connect again"
    : "the server was started again and is not the same as before";
}

export class HttpSession {
  #id: string | undefined;
  #greeting: Outgoing | undefined;
  #agreed: JsonObject | undefined;
  /** The greeting was answered in place of the server, which has not let us in yet. */
  #isStandIn = false;
  #initialized: Outgoing | undefined;
  #logLevel: Outgoing | undefined;
  readonly #subscriptions = new Map<string, Outgoing>();
  /** What waits for a new session. */
  #waiting: ((failure?: HttpFailure) => void)[] | undefined;

  get id(): string | undefined {
    return this.#id;
  }

  /** True once a client has greeted the server in the legacy way. */
  get isLegacy(): boolean {
    return this.#greeting !== undefined;
  }

  get isStandIn(): boolean {
    return this.#isStandIn;
  }

  headers(): Record<string, string> {
    const version = textIn(this.#agreed?.["protocolVersion"]);
    return {
      ...(this.#id === undefined ? {} : { "mcp-session-id": this.#id }),
      ...(version === undefined ? {} : { "mcp-protocol-version": version }),
    };
  }

  /** Remembers messages that a new session would need again. */
  sent(sent: Outgoing): void {
    const { method, message } = sent;
    const uri = isJsonObject(message["params"]) ? textIn(message["params"]["uri"]) : undefined;
    if (method === "initialize") {
      this.#greeting = sent;
      this.#agreed = undefined;
      this.#isStandIn = false;
      this.#id = undefined;
    } else if (method === "notifications/initialized") this.#initialized = sent;
    else if (method === "logging/setLevel") this.#logLevel = sent;
    else if (uri === undefined) return;
    else if (method === "resources/unsubscribe") this.#subscriptions.delete(uri);
    else if (method === "resources/subscribe" && this.#subscriptions.size < MAX_SUBSCRIPTIONS)
      this.#subscriptions.set(uri, sent);
  }

  /** The server has answered the greeting, with a session id if it keeps sessions. */
  greeted(id: string | string[] | undefined): void {
    this.#id = typeof id === "string" && id !== "" ? id : undefined;
  }

  learn(answer: Buffer): void {
    this.#agreed = resultIn(answer);
  }

  /** The greeting has got this answer from us; the server is greeted when it lets us in. */
  standIn(answer: Buffer): void {
    this.#agreed = resultIn(answer);
    this.#isStandIn = this.#agreed !== undefined;
  }

  forget(): void {
    this.#id = undefined;
  }

  /**
   * Opens a new session like the old one; `then` runs in it. Requests that come meanwhile wait together. Only if the
   * server was greeted in its place before, `then` may get a failure: it was not let in after all.
   */
  renew(then: (failure?: HttpFailure) => void, renewal: Renewal): void {
    if (this.#waiting !== undefined) return void this.#waiting.push(then);
    const [greeting, agreed] = [this.#greeting, this.#agreed];
    if (greeting === undefined || agreed === undefined)
      return renewal.failed("the server has forgotten the session");
    this.#waiting = [then];
    const { post, maxBytes } = renewal;
    const lost = (): void => renewal.failed("the server has forgotten the session and gives no new one");
    post(
      { bytes: greeting.bytes, isGreeting: true },
      {
        failed: (failure) => (this.#isStandIn ? this.#run(failure) : lost()),
        response: (response) => {
          const id = response.headers["mcp-session-id"];
          readAnswer(response, { key: greeting.key ?? "", maxBytes }, (answer) => {
            const result = resultIn(answer);
            if (result === undefined) return lost();
            // A greeting that was answered in its place promised only the revision.
            const kept = this.#isStandIn ? promisedVersion : promises;
            if (!jsonEqual(kept(result), kept(agreed))) return renewal.failed(otherServer(this.#isStandIn));
            this.#isStandIn = false;
            this.greeted(id);
            this.#agreed = result;
            return this.#sayAgain(renewal);
          });
        },
      },
    );
  }

  /** After the greeting, the log level and the subscriptions are sent again in order; their answers are ignored. */
  #sayAgain({ post, renewed, failed }: Renewal): void {
    const said = [this.#initialized, this.#logLevel, ...this.#subscriptions.values()];
    const left = said.filter((each) => each !== undefined).map(({ bytes }) => bytes);
    const next = (): void => {
      const bytes = left.shift();
      if (bytes === undefined) {
        renewed();
        return this.#run();
      }
      post(
        { bytes, isGreeting: false },
        {
          failed: ({ message }) => failed(message),
          response: (response) => {
            response.on("error", () => undefined).resume();
            next();
          },
        },
      );
    };
    next();
  }

  #run(failure?: HttpFailure): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const run of waiting) run(failure);
  }
}
