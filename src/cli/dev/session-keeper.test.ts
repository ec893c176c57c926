import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { tempFiles } from "../temp-files.fixture.ts";
import { startChild } from "../../engine/transport/child-process.ts";
import { describeExit } from "./gone-process.ts";
import { SessionKeeper } from "./session-keeper.ts";

/** A server in plain JavaScript, which starts in no time. `says` is what it answers; `slow` calls never end. */
const source = (says: string, tool = "say"): string => `
import { createInterface } from "node:readline";
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { protocolVersion: "2025-11-25", serverInfo: { name: "s", version: "1" } });
  if (method === "tools/list") answer(id, { tools: [{ name: "${tool}" }] });
  if (method === "tools/call" && params.name !== "slow") answer(id, { says: "${says}" });
});
`;

const broken = "throw new Error('half an edit');\n";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly says?: string };
  readonly error?: { readonly message: string; readonly data?: unknown };
}

/** A client at one end, a file that can be edited at the other. */
function open(first: string) {
  const folder = tempFiles({ "server.mjs": first });
  const file = join(folder, "server.mjs");
  const [input, output] = [new PassThrough(), new PassThrough()];
  const notes: string[] = [];
  const heard: Message[] = [];
  output.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().trimEnd().split("\n")) heard.push(JSON.parse(line) as Message);
  });
  let starts = 0;
  const keeper = new SessionKeeper({
    input,
    output,
    start: () => {
      starts += 1;
      return startChild({
        command: process.execPath,
        args: [file],
        cwd: folder,
        environment: process.env,
        stderr: () => undefined,
        describeExit,
      });
    },
    note: (text) => notes.push(text),
  });
  onTestFinished(() => keeper.close());
  const send = (message: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    keeper,
    notes,
    heard,
    starts: () => starts,
    send,
    leave: () => input.end(),
    edit: (text: string) => writeFileSync(file, text),
    call: (id: number, name = "say") => send({ id, method: "tools/call", params: { name, arguments: {} } }),
    answer: (id: number) =>
      vi.waitFor(() => {
        const found = heard.find((message) => message.id === id && message.method === undefined);
        if (found === undefined) throw new Error(`no answer to ${id}`);
        return found;
      }, 20_000),
  };
}

const greeting = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};

describe("a client's session under development", () => {
  it("goes on in a new process, and hears of other tools", async () => {
    const { send, call, answer, edit, keeper, heard, notes } = open(source("one"));
    send({ id: 1, ...greeting });
    await answer(1);
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/list" });
    call(3);
    expect((await answer(3)).result?.says).toBe("one");
    edit(source("two", "speak"));
    keeper.restart();
    call(4);
    expect((await answer(4)).result?.says).toBe("two");
    await vi.waitFor(() =>
      expect(heard.map(({ method }) => method)).toContain("notifications/tools/list_changed"),
    );
    expect(heard.filter(({ id }) => id === 1)).toHaveLength(1);
    expect(notes).toEqual(["the server is up again"]);
  });

  it("is restarted once for all changes before the new process, which answers what waited", async () => {
    const { call, answer, edit, keeper, send, starts } = open(source("one"));
    call(1, "slow");
    call(2);
    await answer(2);
    keeper.restart();
    edit(source("two"));
    keeper.restart();
    call(3);
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    expect((await answer(3)).result?.says).toBe("two");
    expect(starts()).toBe(2);
  });

  it("has its open calls refused if the process ends, and those after it until a file changes", async () => {
    const { call, answer, keeper, notes, edit } = open(
      source("one").replace("answer(id, { says", "process.exit(0, { says"),
    );
    call(1);
    expect((await answer(1)).error).toEqual({
      code: -32_603,
      message: "The server ended with exit code 0.",
      data: { error_code: "UNAVAILABLE", executed: "unknown" },
    });
    expect(notes).toEqual([
      "the server ended with exit code 0; it is started again when a file changes. Does the module call serve()?",
    ]);
    call(2);
    expect((await answer(2)).error?.message).toBe("The server does not run: see where it was started.");
    edit(source("two"));
    keeper.restart();
    call(3);
    expect((await answer(3)).result?.says).toBe("two");
    expect(notes.slice(1)).toEqual(["the server is up again"]);
  });

  it.runIf(isFullRun)("refuses calls while the server is broken, and goes on when it is mended", async () => {
    const { send, call, answer, edit, keeper, notes } = open(source("one"));
    send({ id: 1, ...greeting });
    await answer(1);
    edit(broken);
    keeper.restart();
    await vi.waitFor(() => expect(notes.join()).toContain("ended with exit code 1"), 20_000);
    call(2);
    expect((await answer(2)).error?.message).toBe("The server does not run: see where it was started.");
    edit(source("three"));
    keeper.restart();
    call(3);
    expect((await answer(3)).result?.says).toBe("three");
    expect(notes.filter((note) => note === "the server is up again")).toHaveLength(1);
  });

  it.runIf(isFullRun)("keeps the greeting for a server that is broken from the start", async () => {
    const { send, answer, edit, keeper, notes } = open(broken);
    send({ id: 1, ...greeting });
    await vi.waitFor(() => expect(notes).toHaveLength(1), 20_000);
    edit(source("one"));
    keeper.restart();
    expect((await answer(1)).result).toMatchObject({ serverInfo: { name: "s" } });
  });

  it.runIf(isFullRun)("ends when the client has left and has its answers", async () => {
    const { call, leave, keeper, heard } = open(source("one"));
    call(1);
    leave();
    await keeper.left;
    expect(heard).toMatchObject([{ id: 1, result: { says: "one" } }]);
  });
});
