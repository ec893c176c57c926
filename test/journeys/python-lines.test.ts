// A real Python program behind the gateway, whose reader of lines ends at one of more than 65,536 bytes.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type TestContext, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { hasPython } from "../services/python.fixture.ts";
import { gatewayArgs } from "./published-servers.fixture.ts";

const MOST = 65_536;
const program = fileURLToPath(new URL("python-lines.fixture.py", import.meta.url));
const server = fileURLToPath(new URL("long-lines-server.fixture.mjs", import.meta.url));

interface Answer {
  readonly bytes?: number;
  readonly message?: { readonly result: JsonObject };
  /** What Python said of a line that it did not take. */
  readonly failed?: string;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly description?: string;
}

class PythonProgram {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(command: readonly string[]) {
    this.#child = spawn("python3", [program, ...command], { stdio: ["pipe", "pipe", "ignore"] });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error("no stdout");
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  async ask(method: string, params: JsonObject): Promise<Answer> {
    this.#child.stdin?.write(`${JSON.stringify([method, params])}\n`);
    const { value } = (await this.#lines.next()) as { readonly value?: string };
    return JSON.parse(value ?? "{}") as Answer;
  }

  async call(name: string, args: JsonObject): Promise<Answer> {
    return this.ask("tools/call", { name, arguments: args });
  }

  /** Its own end would wait for a server that it no longer reads; the server ends when its stdin does. */
  close(): void {
    this.#child.kill();
  }
}

async function open(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  words: readonly string[],
): Promise<PythonProgram> {
  const gateway = gatewayArgs(["--store", "memory", "--budget", "20000", ...words], ["node", server]);
  const python = new PythonProgram([process.execPath, ...gateway]);
  onTestFinished(() => python.close());
  const clientInfo = { name: "program", version: "1.0.0" };
  await python.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return python;
}

function blocksOf({ message }: Answer): readonly Block[] {
  return (message?.result["content"] ?? []) as unknown as readonly Block[];
}

describe.runIf(hasPython())("a Python program that reads lines with asyncio's default limit", () => {
  it("fails behind a gateway that does not know it", async (test) => {
    const python = await open(test, []);
    expect((await python.call("picture", { bytes: 10_000 })).failed).toBeUndefined();
    expect((await python.call("picture", { bytes: 200_000 })).failed).toMatch(
      /^Separator is (?:not )?found, (?:but|and) chunk (?:is longer than|exceed the) limit$/,
    );
  });

  it("gets every result on a line that it takes", async (test) => {
    const python = await open(test, ["--reader", "python-lines"]);
    const got: { readonly tool: string; readonly bytes: number; readonly answer: Answer }[] = [];
    for (const tool of ["text", "structure", "picture", "failure"])
      for (const bytes of [10_000, 200_000, 2_000_000])
        got.push({ tool, bytes, answer: await python.call(tool, { bytes }) });
    expect(got.filter(({ answer }) => answer.failed !== undefined)).toEqual([]);
    for (const { answer } of got) expect(answer.bytes).toBeLessThanOrEqual(MOST);
    // What fits is not cut, and what does not fit uses the line.
    const [short = 0, ...long] = got.filter(({ tool }) => tool === "text").map(({ answer }) => answer.bytes);
    expect(short).toBeGreaterThan(10_000);
    for (const bytes of long) expect(bytes).toBeGreaterThan(0.9 * MOST);
    const pictures = got.filter(({ tool }) => tool === "picture").map(({ answer }) => blocksOf(answer));
    expect(pictures.map((blocks) => blocks.at(-1)?.type)).toEqual([
      "image",
      "resource_link",
      "resource_link",
    ]);
    const moved = blocksOf(await python.call("picture", { bytes: 200_000 }));
    expect(moved.find(({ type }) => type === "resource_link")?.description).toBe(
      "Not sent: 266,668 bytes, for which the message has no room",
    );
  });

  it("gets the following lines on a line that it takes too", async (test) => {
    const python = await open(test, ["--reader", "python-lines"]);
    const [head, closing] = blocksOf(await python.call("text", { bytes: 200_000 }));
    const [, kept = "", tool = "", args = "{}"] =
      /^\[lines 1-(\d+) and \d+-10000 of 10,000; the rest: (\w+) (\{.*\})\]$/m.exec(closing?.text ?? "") ??
      [];
    const [beginning = ""] = head?.text?.split("[… lines ") ?? [];
    expect(beginning.split("\n")).toHaveLength(Number(kept) + 1);
    const next = await python.call(tool, JSON.parse(args) as JsonObject);
    expect(next.bytes).toBeLessThanOrEqual(MOST);
    const { data } = (next.message?.result["structuredContent"] ?? {}) as {
      readonly data?: { readonly lines: readonly { readonly line: number }[] };
    };
    expect(data?.lines[0]?.line).toBe(Number(kept) + 1);
    expect(data?.lines.length).toBeGreaterThan(100);
  });

  it("gets what its server wrote with escapes on too long a line, without them", async (test) => {
    const python = await open(test, ["--reader", "python-lines"]);
    const answer = await python.call("escaped", { bytes: 72_000 });
    expect(answer.bytes).toBeLessThanOrEqual(MOST);
    expect(blocksOf(answer)).toEqual([{ type: "text", text: "数".repeat(12_000) }]);
  });
});
