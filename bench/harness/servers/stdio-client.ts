import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type JsonObject, isJsonObject, jsonIn } from "../../../src/core/json/json-value.ts";

/** A message, and the line it came on. */
export interface Heard {
  readonly message: JsonObject;
  readonly line: string;
}

interface Started {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

/** A client of a program on stdio that knows lines and nothing else; lines may be of any length. */
export class StdioClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<unknown, (heard: Heard) => void>();
  readonly #pieces: Buffer[] = [];
  #lastId = 0;

  constructor({ args, env = {}, cwd }: Started) {
    this.#child = spawn(process.execPath, [...args], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, ...env },
      cwd,
    });
    this.#child.stdout?.on("data", (bytes: Buffer) => this.#take(bytes));
    this.#child.stdin?.on("error", () => undefined);
    this.#child.once("exit", (code) => {
      for (const end of this.#waiting.values()) end({ message: { ended: code ?? -1 }, line: "" });
      this.#waiting.clear();
    });
  }

  async open(name: string): Promise<void> {
    const clientInfo = { name, version: "1.0.0" };
    await this.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    this.#send({ method: "notifications/initialized" });
  }

  ask(method: string, params: JsonObject = {}): Promise<Heard> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  call(name: string, args: JsonObject): Promise<Heard> {
    return this.ask("tools/call", { name, arguments: args });
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(timer);
  }

  #send(message: JsonObject): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      this.#pieces.push(bytes.subarray(from, end));
      from = end + 1;
      this.#hear(Buffer.concat(this.#pieces.splice(0)).toString());
    }
    this.#pieces.push(bytes.subarray(from));
  }

  #hear(line: string): void {
    const message = jsonIn(line);
    if (!isJsonObject(message)) return;
    const { id, method } = message;
    if (method === undefined) {
      this.#waiting.get(id)?.({ message, line });
      this.#waiting.delete(id);
    } else if (id !== undefined) {
      this.#send({ id, error: { code: -32_601, message: "The bench has no answer" } });
    }
  }
}
