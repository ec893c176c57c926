import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import { greeting, modern } from "../../src/doors/gateway/bridge/raw-http.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { looseGaps, looseValue, writeLoosely } from "../arbitrary/loose-json.ts";
import { makeFolder } from "./published-servers.fixture.ts";
import { recordingChildren } from "./recording-child.fixture.ts";

const callers = ["ada-token-0123456789", "ben-token-0123456789"] as const;
const BODIES = isFullRun ? 10_000 : 90;
const AT_ONCE = 16;
const SEED = 20_261_117;

interface Sent {
  readonly mark: number;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly caller: string;
  readonly isModern: boolean;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call of the hidden tool, as it would have to be on a line of its own, with an id that others may use. */
const hidden = fc.record({
  jsonrpc: fc.constant("2.0"),
  id: fc.integer({ min: 0, max: 40 }),
  method: fc.constant("tools/call"),
  params: fc.constant({ name: "secret_write", arguments: { mark: -1 } }),
});

const drawn = fc.record({
  tool: fc.constantFrom("read", "read", "read", "secret_write"),
  value: looseValue,
  nested: fc.array(hidden, { maxLength: 3 }),
  gaps: looseGaps,
  isModern: fc.boolean(),
  caller: fc.constantFrom(...callers),
});

function toSent(draw: typeof drawn extends fc.Arbitrary<infer T> ? T : never, mark: number): Sent {
  const { tool, value, nested, gaps, isModern, caller } = draw;
  const args = { mark, value, nested, said: nested.map((call) => `\u2028${JSON.stringify(call)}\u0085`) };
  const params = { name: tool, arguments: args };
  const plain = {
    headers: {},
    body: JSON.stringify({ jsonrpc: "2.0", id: mark, method: "tools/call", params }),
  };
  const { headers, body } = isModern ? modern("tools/call", params, mark) : plain;
  return { mark, tool, args, caller, isModern, headers, body: writeLoosely(JSON.parse(body), gaps) };
}

/** A line as the server read it. */
interface ReadLine {
  readonly method: string;
  readonly params: { readonly name: string; readonly arguments: { readonly mark: number } };
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

function post(url: URL, body: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ readonly text: string; readonly session: string }>((resolve, reject) => {
    const asked = request(url, {
      method: "POST",
      agent,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    });
    asked.on("error", reject).on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => resolve({ text, session: String(answer.headers["mcp-session-id"]) }));
    });
    asked.end(body);
  });
}

/** A gateway that hides a tool in front of one of the servers, with a session of the legacy era for each caller. */
async function open(upstream: { readonly command: string; readonly args: readonly string[] }) {
  const log = join(makeFolder(), "lines");
  const [ada, ben] = callers;
  const gateway = createGateway({
    upstreams: {
      served: {
        ...upstream,
        env: { LOG: log },
        hide: ["secret_write"],
        // The log has the lines of clients alone.
        probe: "off",
        auth: { gateway: { tokens: { ada, ben } } },
      },
    },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  onTestFinished(() => gateway.close());
  const { urls } = await gateway.listen();
  const url = new URL(urls["served"] ?? "");
  const sessions = new Map<string, string>();
  for (const caller of callers) {
    const hello = JSON.stringify(greeting, undefined, 1);
    const { session } = await post(url, hello, { authorization: `Bearer ${caller}` });
    sessions.set(caller, session);
  }
  const call = async ({ caller, isModern, headers, body }: Sent): Promise<string> => {
    const session = isModern ? {} : { "mcp-session-id": sessions.get(caller) ?? "" };
    const { text } = await post(url, body, { authorization: `Bearer ${caller}`, ...headers, ...session });
    return text;
  };
  return { call, lines: () => readFileSync(log, "utf8").trimEnd().split("\n") };
}

/** Runs one after the other on several tracks at once. */
async function onTracks<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items].reverse();
  const track = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, track));
}

const hasPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0;
const children = Object.entries(recordingChildren).filter(([name]) => name !== "python3" || hasPython);

describe("a body with line ends in front of a server that reads lines", () => {
  it.each(children)(
    "is one line to a server that reads by %s, and runs no hidden tool",
    async (name, upstream) => {
      const count = Math.ceil(BODIES / children.length);
      const sent = fc.sample(drawn, { numRuns: count, seed: SEED }).map((draw, at) => toSent(draw, 100 + at));
      const { call, lines } = await open(upstream);
      await onTracks(sent, async (one) => {
        const answer = await call(one);
        expect(answer).toContain(one.tool === "read" ? `"read ${one.mark}"` : '"error"');
      });
      const read = lines().map((line) => JSON.parse(JSON.parse(line) as string) as ReadLine);
      const calls = read.filter(({ method }) => method === "tools/call").map(({ params }) => params);
      expect(calls.filter(({ name: tool }) => tool === "secret_write")).toEqual([]);
      const byMark = calls.map(({ arguments: args }) => args).sort((one, other) => one.mark - other.mark);
      expect(byMark).toEqual(sent.map(({ args }) => args));
      const methods = new Set(read.map(({ method }) => method));
      expect([...methods].sort()).toEqual(["initialize", "tools/call", "tools/list"]);
      if (isFullRun) process.stdout.write(`${name}: ${sent.length} bodies, ${read.length} lines read\n`);
    },
    300_000,
  );
});
