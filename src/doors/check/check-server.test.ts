import { describe, expect, it } from "vitest";
import { redefine } from "../../../test/broken-servers/broken-server.ts";
import { failure, goodServer, plainText } from "../../../test/broken-servers/good-server.ts";
import { type Json, NoAnswer, type RawServer, RpcError } from "../../../test/broken-servers/raw-server.ts";
import { serverLink } from "../../../test/broken-servers/server-link.ts";
import { linkPair } from "../../engine/transport/link-pair.fixture.ts";
import type { Link } from "../../engine/transport/link.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import { runCheck } from "./check-server.ts";
import { verdictOf } from "./report/check-report.ts";
import type { CheckOptions } from "./check-options.ts";

/** A server with one tool, or with those that `change` gives it. */
function small(run: (args: Json) => Json | Promise<Json>, change?: (server: RawServer) => void) {
  return (): RawServer => {
    const server = goodServer();
    const definition = {
      name: "look",
      description: "Looks at something.",
      inputSchema: { type: "object", properties: { at: { type: "string" } } },
      annotations: { readOnlyHint: true },
    };
    server.tools = [{ definition, run }];
    change?.(server);
    return server;
  };
}

const check = (build: () => RawServer, options: CheckOptions = {}) =>
  runCheck({ link: serverLink(build) }, { era: "legacy", ...options });

const said = (text: string) => () => plainText(text);
const never = (): Promise<Json> => new Promise(() => undefined);

/** Like `serverLink`, but the connection breaks where `breaksAt` says so. */
function breakingLink(build: () => RawServer, breaksAt: (line: string) => boolean): () => Link {
  return () => {
    const inner = serverLink(build)();
    const [near, far] = linkPair();
    far.listen({
      message: (bytes) => {
        if (breaksAt(bytes.toString())) far.close();
        else inner.send(bytes);
      },
      oversized: () => undefined,
      closed: () => inner.close(),
    });
    inner.listen({
      message: (bytes) => far.send(bytes),
      oversized: () => undefined,
      closed: () => far.close(),
    });
    return near;
  };
}

describe("a check", () => {
  it.each(["legacy", "modern"] as const)(
    "finds nothing wrong with a good server of the %s era",
    async (era) => {
      const { report, record } = await check(goodServer, { era });
      expect(report.findings).toEqual([]);
      expect(report).toMatchObject({
        era,
        isReachable: true,
        isComplete: true,
        server: { name: "parcels", version: "1.0.0" },
        score: { value: 100, reasons: [] },
        counts: { error: 0, warning: 0, info: 0, known: 0 },
      });
      expect(report.counts.passed + report.counts.untested).toBe(report.rules.length);
      const purposes = new Set(record.calls.map(({ purpose }) => purpose));
      for (const purpose of [
        "valid",
        "boundary",
        "invalid",
        "repeat",
        "page",
        "retrieve",
        "cancelled",
        "unknown-tool",
      ])
        expect(purposes).toContain(purpose);
    },
  );

  it("makes the same calls with the same seed", async () => {
    const callsOf = async (seed: number) => {
      const { record } = await check(small(said("seen")), { seed });
      return record.calls.map(({ tool, purpose, arguments: args }) => [tool, purpose, args]);
    };
    expect(await callsOf(3)).toEqual(await callsOf(3));
  });

  it("takes the modern era where the server knows it, else the legacy one", async () => {
    const eraOf = async (eras: RawServer["eras"]) => {
      const build = small(said("seen"), (server) => (server.eras = eras));
      return (await check(build, { era: "auto" })).report.era;
    };
    expect(await eraOf(["legacy", "modern"])).toBe("modern");
    expect(await eraOf(["legacy"])).toBe("legacy");
  });

  it("connects again for the legacy era where the modern greeting ends the server", async () => {
    const link = breakingLink(small(said("seen")), (line) => line.includes("server/discover"));
    const { report } = await runCheck({ link });
    expect(report).toMatchObject({ era: "legacy", isReachable: true });
  });

  it("calls only what is marked read-only, and everything where it may", async () => {
    const calledIn = async (options: CheckOptions) => {
      const { record, report } = await check(goodServer, options);
      return {
        arguments: record.calls.filter(({ tool }) => tool === "send_parcel").map((call) => call.arguments),
        reason: report.tools.find(({ name }) => name === "send_parcel")?.notProbed,
      };
    };
    const careful = await calledIn({});
    expect(careful.arguments).toEqual([]);
    expect(careful.reason).toMatch(/not marked read-only/);
    expect((await calledIn({ all: true })).arguments.length).toBeGreaterThan(3);
    const own = { id: "P-002" };
    expect((await calledIn({ args: { send_parcel: own } })).arguments).toEqual([own]);
  });

  it("has no score and does not pass where no tool was called, and says what would call them", async () => {
    const silent = () => {
      const server = goodServer();
      server.tools = server.tools.filter(({ definition }) => definition.name === "send_parcel");
      return server;
    };
    const { report, record } = await check(silent);
    expect(report.score).toBeNull();
    // A tool that does not exist was tried, which is no call of a tool.
    expect(record.calls.map(({ purpose }) => purpose)).toEqual(["unknown-tool"]);
    expect(report).toMatchObject({ calls: 0, succeeded: 0 });
    expect(report.coverage).toMatchObject({ tools: 1, called: 0, definitionsOnly: false });
    expect(report.coverage.notCalled).toEqual([
      {
        because: "not marked read-only (annotations.readOnlyHint)",
        remedy: { flag: expect.stringMatching(/^--all /), option: expect.stringMatching(/^`all: true` /) },
        tools: ["send_parcel"],
      },
    ]);
    expect(verdictOf(report)).toEqual({
      outcome: "failed",
      because: ["nothing was tested: no tool was called"],
    });
    expect((await check(silent, { all: true })).report.score?.value).toBe(100);
  });

  it("that called only Waybill's own retrieval tool tested nothing, whatever the tool is called", async () => {
    for (const name of ["waybill_retrieve", "files_retrieve"]) {
      const silent = () => {
        const server = goodServer();
        server.tools = server.tools.filter(({ definition }) =>
          ["send_parcel", "waybill_retrieve"].includes(definition.name),
        );
        const text = { type: "string", description: "A part of what was cut." };
        redefine(server, "waybill_retrieve", () => ({
          name,
          inputSchema: {
            type: "object",
            properties: { archive: text, ids: text, pointer: text, match: text, cursor: text },
          },
        }));
        return server;
      };
      const { report } = await check(silent);
      expect(report.tools.find((tool) => tool.name === name)?.calls).toBeGreaterThan(0);
      expect(report.coverage).toMatchObject({ tools: 1, called: 0, apart: [name] });
      expect(report.coverage.says).toMatch(
        `0 of 1 tool called, not counting Waybill's own ${name}: nothing was tested. 1 not called, `,
      );
      expect(report.score).toBeNull();
      expect(verdictOf(report).because).toEqual(["nothing was tested: no tool was called"]);
    }
  });

  it("in which no call succeeded says so first, has no score and does not pass", async () => {
    const lost = small(() => failure("NOT_FOUND", "Nothing is there", "Look elsewhere"));
    const { report } = await check(lost);
    expect(report.calls).toBeGreaterThan(3);
    expect(report.coverage).toMatchObject({ tools: 1, called: 1, succeeded: 0 });
    expect(report.coverage.says).toBe(
      "1 of 1 tool called, and no call succeeded: only failures were judged. --args <file> gives arguments that work.",
    );
    expect(report.score).toBeNull();
    expect(verdictOf(report)).toEqual({ outcome: "failed", because: ["no call succeeded"] });
  });

  it("that asks for definitions alone sends nothing but the greeting and two lists", async () => {
    const { report, record } = await check(goodServer, { definitionsOnly: true });
    const sent = record.messages.flatMap(({ from, value }) =>
      from === "client" && isJsonObject(value) ? [value["method"]] : [],
    );
    expect(new Set(sent)).toEqual(new Set(["initialize", "notifications/initialized", "tools/list"]));
    expect(report).toMatchObject({ calls: 0, score: null, coverage: { called: 0, definitionsOnly: true } });
    expect(verdictOf(report)).toEqual({ outcome: "passed", because: [] });
    expect(report.rules.find(({ id }) => id === "definition/name-characters")?.status).toBe("passed");
  });

  it("tells how far it is", async () => {
    const heard: string[] = [];
    await check(small(said("seen")), {
      onProgress: ({ phase, done, planned }) => heard.push(`${phase} ${done}/${planned}`),
    });
    expect(heard).toEqual(["connect 0/1", "list 0/2", "list 1/2", "probe 0/1", "judge 0/1", "judge 1/1"]);
  });

  it("refuses options and targets that are wrong", async () => {
    await expect(runCheck({ link: serverLink(goodServer) }, { era: "old" as never })).rejects.toThrow(/era/);
    await expect(runCheck({ url: "ftp://example.com" })).rejects.toThrow(/http:\/\/ or https:\/\//);
    await expect(runCheck({} as never)).rejects.toThrow(/command/);
    await expect(runCheck({ command: "node" }, { args: { a: "text" as never } })).rejects.toThrow(
      /arguments/,
    );
  });
});

describe("a server that misbehaves", () => {
  it("and never answers a tool costs the limit, and its other tools are called", async () => {
    const build = small(never, (server) => {
      const [slow] = server.tools;
      if (slow === undefined) return;
      server.tools.push({ definition: { ...slow.definition, name: "quick" }, run: said("quick") });
    });
    const { record, report } = await check(build, { limits: { callMs: 40 } });
    const slow = record.calls.filter(({ tool }) => tool === "look");
    expect(slow.map(({ reply }) => reply.kind)).toEqual(["timeout", "timeout"]);
    const quick = record.calls.filter(({ tool, purpose }) => tool === "quick" && purpose === "valid");
    expect(quick.map(({ reply }) => reply.kind)).toContain("result");
    expect(report.isComplete).toBe(true);
  });

  it("and ends at a call is started again, as often as the limits allow", async () => {
    const isDeadly = (line: string) => line.includes('"name":"look"');
    const link = breakingLink(small(said("seen")), isDeadly);
    const { record, report } = await runCheck({ link }, { era: "legacy" });
    expect(record.problems).toMatchObject([
      { kind: "died", call: 0 },
      { kind: "died", call: 1 },
    ]);
    expect(record.exchanges.map(({ purpose }) => purpose)).toContain("after-broken-json");
    expect(report.isComplete).toBe(true);
    const { report: given } = await runCheck({ link }, { era: "legacy", limits: { restarts: 0 } });
    expect(given).toMatchObject({
      isComplete: false,
      stopped: expect.stringMatching(/started again/) as string,
    });
  });

  it("and never ends its pages is left after the last that is allowed", async () => {
    let asked = 0;
    const endless = small(said("seen"), (server) => {
      server.listTools = () => ({ tools: [], nextCursor: `page-${++asked}` });
    });
    const { record } = await check(endless, { limits: { listPages: 7 } });
    expect(record.listings.map(({ pages, isCut }) => [pages.length, isCut])).toEqual([
      [7, true],
      [7, true],
    ]);
    const circle = small(said("seen"), (server) => {
      server.listTools = () => ({ tools: [], nextCursor: "again" });
    });
    const { record: round } = await check(circle);
    expect(round.listings[0]).toMatchObject({ isCut: true, pages: [{}, {}] });
  });

  it("and asks for what the client never offered is told no; a sign of life it gets", async () => {
    const build = small(said("seen"), (server) => {
      const [tool] = server.tools;
      if (tool === undefined) return;
      tool.run = (_args, { send }) => {
        send({ jsonrpc: "2.0", id: "s1", method: "sampling/createMessage", params: {} });
        send({ jsonrpc: "2.0", id: "s2", method: "ping" });
        return plainText("seen");
      };
    });
    const { record } = await check(build);
    const answers = record.messages.filter(
      ({ from, value }) => from === "client" && /"s[12]"/.test(JSON.stringify(value)),
    );
    expect(answers[0]?.value).toMatchObject({ id: "s1", error: { code: -32_601 } });
    expect(answers[1]?.value).toEqual({ jsonrpc: "2.0", id: "s2", result: {} });
  });

  it("and prints what is no message has it reported, and is understood all the same", async () => {
    const build = small(said("seen"), (server) => (server.banner = () => ["listening on port 80"]));
    const { record, report } = await check(build);
    expect(record.problems).toEqual([{ kind: "stray-output", message: "listening on port 80" }]);
    expect(report.isReachable).toBe(true);
  });

  it("and refuses the greeting, or gives none, is not reachable", async () => {
    const refusing = small(said("seen"), (server) => {
      server.initialize = () => {
        throw new RpcError(-32_603, "not today");
      };
    });
    const { report } = await check(refusing);
    expect(report).toMatchObject({ isReachable: false, score: null, calls: 0 });
    expect(report.findings.map(({ rule }) => rule)).toEqual(["protocol/greeting"]);
    expect(report.stopped).toBe("the server refused the greeting: not today");
    const silent = small(said("seen"), (server) => {
      server.initialize = () => {
        throw new NoAnswer();
      };
    });
    const { record: quiet } = await check(silent, { limits: { startMs: 30 } });
    expect(quiet.problems).toMatchObject([{ kind: "start-timeout" }]);
  });

  it("has its secrets kept out of the report, and a command that does not exist is said to be so", async () => {
    const target = {
      command: "/no/such/server",
      args: ["--token", "abc123", "--key=sk-live-0123456789abcdef0123456789"],
    };
    const { report, record } = await runCheck(target, { era: "legacy" });
    expect(report.target).toMatch(/^\/no\/such\/server --token \[REDACTED\]/);
    expect(report.target).not.toMatch(/abc123|sk-live/);
    expect(record.problems).toMatchObject([
      { kind: "start-failed", message: expect.stringContaining("does not exist") as string },
    ]);
  });
});

describe("the end of a check", () => {
  it("comes with its time, and what was seen until then is judged", async () => {
    const { report, record } = await check(small(never), { limits: { totalMs: 150, callMs: 100_000 } });
    expect(report).toMatchObject({ isComplete: false, isReachable: true });
    expect(report.stopped).toBe("the time for the whole check, 150 ms, is over");
    // It is not known whether the server took too long: the check did.
    expect(record.calls).toEqual([]);
    expect(record.exchanges).toEqual([]);
  });

  it("comes when its caller says so", async () => {
    const control = new AbortController();
    const build = small(() => {
      control.abort();
      return never();
    });
    const { report } = await check(build, { signal: control.signal });
    expect(report).toMatchObject({ isComplete: false, stopped: "the check was told to stop" });
  });
});
