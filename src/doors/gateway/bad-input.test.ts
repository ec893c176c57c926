import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { createState } from "../../engine/call/contract-state.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { openBridge } from "./bridge/bridge.ts";
import type { BridgeOptions } from "./bridge/bridge-options.ts";
import { StreamLink } from "../../engine/transport/stream-link.ts";
import { childUpstream } from "./upstream/child-upstream.ts";
import { scriptedServer } from "../../engine/transport/scripted-server.fixture.ts";
import type { Upstream } from "./upstream/upstream.ts";

const open: Upstream[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((upstream) => upstream.close()));
});

interface Gateway {
  readonly stdin: PassThrough;
  readonly heard: JsonObject[];
  readonly raw: string[];
  readonly notes: string[];
  readonly closed: () => string | undefined;
  /** Sends a call of a tool of the scripted server. */
  readonly call: (id: number, name: string, args?: object) => void;
  readonly answerTo: (id: number | string | null) => Promise<JsonObject>;
}

/** A whole gateway over two streams, in front of a server's process. */
function start(
  upstreamOptions: { readonly maxMessageBytes?: number } = {},
  options: Partial<BridgeOptions> = {},
): Gateway {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const heard: JsonObject[] = [];
  const raw: string[] = [];
  const notes: string[] = [];
  let closed: string | undefined;
  let rest = "";
  stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      raw.push(line);
      heard.push(JSON.parse(Buffer.from(line, "latin1").toString()) as JsonObject);
    }
  });
  const upstream = childUpstream(
    "scripted",
    { ...scriptedServer, ...upstreamOptions },
    {
      note: (line) => notes.push(line),
      firstPauseMs: 5,
    },
  );
  open.push(upstream);
  openBridge({
    state: createState({ logLevel: "silent", dialect: "auto", profile: "minimal" }),
    client: new StreamLink({ input: stdin, output: stdout, maxMessageBytes: 1_000_000 }),
    upstream: upstream.connect({ principal: "local" }),
    note: (text) => notes.push(text),
    onClose: (why) => (closed = why),
    ...options,
  });
  const find = (id: number | string | null): JsonObject | undefined =>
    heard.find((message) => message["id"] === id && message["method"] === undefined);
  return {
    stdin,
    heard,
    raw,
    notes,
    closed: () => closed,
    call: (id, name, args = {}) =>
      void stdin.write(
        `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } })}\n`,
      ),
    answerTo: async (id) => {
      await until(() => find(id) !== undefined);
      return find(id) ?? {};
    },
  };
}

const textOf = ({ result }: JsonObject): string =>
  (((result as JsonObject)["content"] as readonly JsonObject[])[0]?.["text"] as string | undefined) ?? "";
const said = (answer: JsonObject): string => JSON.stringify(answer);

describe("a healthy call beside a server that misbehaves", () => {
  it("gets its answer: after garbage, two answers, unknown ids and bytes that are no UTF-8", async () => {
    const { call, answerTo, heard, raw, notes } = start();
    for (const [id, name] of ["garbage", "twice", "unknown", "utf8"].entries()) {
      call(id, name);
      call(id + 10, "echo", { text: `beside ${name}` });
    }
    expect(textOf(await answerTo(0))).toBe("after garbage");
    expect(textOf(await answerTo(1))).toBe("first");
    expect(textOf(await answerTo(2))).toBe("yours");
    expect(textOf(await answerTo(3))).toBe("a\uFFFD\uFFFDb");
    for (const id of [10, 11, 12, 13]) expect(textOf(await answerTo(id))).toMatch(/^beside /);
    expect(heard).toHaveLength(8);
    // The server's own bytes, wrong as they are.
    expect(raw.some((line) => line.includes("a\xff\xc3b"))).toBe(true);
    expect(notes.filter((note) => note.includes("no message")).length).toBeGreaterThanOrEqual(4);
    expect(notes.filter((note) => note.includes("no open request")).length).toBeGreaterThanOrEqual(2);
  });

  it("gets its answer from the next process, whatever ended the one before it", async () => {
    const { call, answerTo, stdin } = start();
    stdin.write('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{}}\n');
    await answerTo("i");
    for (const [round, name] of ["crash", "half"].entries()) {
      const id = round * 100;
      call(id, "pid");
      const before = textOf(await answerTo(id));
      call(id + 1, "hang");
      call(id + 2, name);
      expect(said(await answerTo(id + 1))).toContain("UNAVAILABLE");
      expect(said(await answerTo(id + 2))).toContain("UNAVAILABLE");
      let last = id + 2;
      let answer: JsonObject = {};
      do {
        last += 1;
        call(last, "pid");
        answer = await answerTo(last);
      } while (said(answer).includes("UNAVAILABLE"));
      expect(said(answer)).toContain("UPSTREAM_RESTARTED");
      expect(textOf(answer)).not.toBe(before);
    }
  });

  it("is not held up by one that hangs, whose caller hears TIMEOUT", async () => {
    const { call, answerTo } = start({}, { callTimeoutMs: 200 });
    call(1, "hang");
    call(2, "echo", { text: "fine" });
    expect(textOf(await answerTo(2))).toBe("fine");
    expect(said(await answerTo(1))).toContain("TIMEOUT");
  });

  it("is not lost to a line that is too long, whose caller hears TOO_LARGE", async () => {
    const megabytes = isFullRun ? 200 : 3;
    const { call, answerTo } = start({ maxMessageBytes: isFullRun ? 134_217_728 : 2_000_000 });
    call(1, "huge", { megabytes });
    expect(said(await answerTo(1))).toContain("TOO_LARGE");
    call(2, "echo", { text: "fine" });
    expect(textOf(await answerTo(2))).toBe("fine");
  });

  it("is not lost to a line that is cut to the budget although no SDK could read it", async () => {
    // The store in memory holds 64 MiB.
    const megabytes = isFullRun ? 48 : 11;
    const { call, answerTo } = start({}, { maxReplyBytes: 10_485_760 });
    call(1, "huge", { megabytes });
    const answer = await answerTo(1);
    expect(said(answer).length).toBeLessThan(100_000);
    expect(said(answer)).toContain("content_archive_hashes");
    call(2, "echo", { text: "fine" });
    expect(textOf(await answerTo(2))).toBe("fine");
  });
});

describe("a client that misbehaves", () => {
  it("hears what was wrong with each line, and its healthy calls are answered", async () => {
    const { stdin, call, answerTo, heard } = start();
    call(1, "echo", { text: "before" });
    stdin.write("not JSON\n\n[]\n{}\n");
    stdin.write('{"jsonrpc":"2.0","id":"no-method"}\n');
    stdin.write(`{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"${"x".repeat(1_000_000)}"}}\n`);
    stdin.write(
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":"\xff', "latin1"),
        Buffer.from('","method":"ping"}\n'),
      ]),
    );
    stdin.write('{"jsonrpc":"2.0","id":77,"result":{"unasked":true}}\n');
    call(2, "echo", { text: "after" });
    expect(textOf(await answerTo(1))).toBe("before");
    expect(textOf(await answerTo(2))).toBe("after");
    expect(await answerTo("no-method")).toMatchObject({ error: { code: -32600 } });
    expect(await answerTo("long")).toMatchObject({ error: { data: { error_code: "TOO_LARGE" } } });
    expect(heard.filter(({ id }) => id === null).map(({ error }) => (error as JsonObject)["code"])).toEqual([
      // The last one is the id that is no UTF-8.
      -32700, -32600, -32600, -32700,
    ]);
  });

  it("and leaves in the middle of a message ends its server", async () => {
    const { stdin, call, answerTo, closed } = start();
    call(1, "echo");
    await answerTo(1);
    call(2, "hang");
    stdin.end('{"jsonrpc":"2.0","id":3,"meth');
    await until(() => closed() !== undefined);
    expect(closed()).toMatch(/half a message/);
  });
});
