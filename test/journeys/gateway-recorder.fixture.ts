import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";

/** A message of the server, with the text it came in. */
export interface Heard {
  readonly message: JsonObject;
  readonly raw: string;
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Answers of the client to what a server asks it, the same for every caller. */
const answers: Readonly<Record<string, JsonObject>> = {
  "sampling/createMessage": {
    role: "assistant",
    content: { type: "text", text: "A sampled answer." },
    model: "fixture",
    stopReason: "endTurn",
  },
  "elicitation/create": { action: "accept", content: { name: "Ada", check: true, color: "red" } },
  "roots/list": { roots: [{ uri: "file:///srv/root", name: "root" }] },
};

/** All that a legacy client can do, so that servers offer everything they have. */
const clientCapabilities: JsonObject = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
};

/**
 * A client that knows lines and nothing else, so that what it hears is exactly what was sent: no SDK drops a key or
 * checks a schema. It answers what the server asks.
 */
export class LineClient {
  /** Everything that came in, in its order. */
  readonly heard: Heard[] = [];
  readonly #child: ChildProcess;
  readonly #waiting = new Map<unknown, (heard: Heard) => void>();
  #rest = "";
  #lastId = 0;
  #stderr = "";

  constructor({ command, args, env }: ServerCommand) {
    const { PATH = "", HOME = "", TMPDIR } = process.env;
    this.#child = spawn(command, [...args], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env },
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    this.#child.stdin?.on("error", () => undefined);
    this.#child.once("exit", (code) => {
      for (const fail of this.#waiting.values())
        fail({ message: { ended: code ?? -1, stderr: this.#stderr.slice(-2_000) }, raw: "" });
    });
  }

  /** What it printed beside the protocol. */
  get stderr(): string {
    return this.#stderr;
  }

  send(message: JsonObject): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  request(method: string, params?: JsonObject): Promise<Heard> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.send({ id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  async initialize(protocolVersion = "2025-11-25"): Promise<Heard> {
    const clientInfo = { name: "recorder", version: "1.0.0" };
    const greeted = await this.request("initialize", {
      protocolVersion,
      capabilities: clientCapabilities,
      clientInfo,
    });
    this.send({ method: "notifications/initialized" });
    return greeted;
  }

  /** Messages of the server that answer nothing, so far. */
  told(method: string): readonly JsonObject[] {
    return this.heard.map(({ message }) => message).filter((message) => message["method"] === method);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(timer);
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const raw of lines) {
      if (raw.trim() === "") continue;
      const message: unknown = JSON.parse(raw);
      if (isJsonObject(message)) this.#hear({ message, raw });
    }
  }

  #hear(heard: Heard): void {
    const { id, method } = heard.message;
    this.heard.push(heard);
    if (typeof method !== "string") {
      this.#waiting.get(id)?.(heard);
      this.#waiting.delete(id);
    } else if (id !== undefined) {
      const result = answers[method];
      const error = { code: -32601, message: `The recorder has no answer to ${method}` };
      this.send({ id, ...(result === undefined ? { error } : { result }) });
    }
  }
}
