// Checks of servers that are processes of their own or are behind a URL: published ones, and such as end, hang, flood
// or are not there at all. However they behave, the check ends, and nothing of them is left behind.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCheck } from "../../src/doors/check/check-server.ts";
import type { CheckOptions, CommandTarget } from "../../src/doors/check/check-options.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { serveEverything } from "./everything-over-http.fixture.ts";
import { attachable, makeFolder } from "./published-servers.fixture.ts";

/** A server of a few lines: `answer(name, args, id)` gives the result of a call, and may do anything else. */
function scripted(answer: string, start = ""): CommandTarget {
  const script = `
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const tool = (name) => ({ name, description: "Does it.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } });
    const answer = ${answer};
    ${start}
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      let message;
      try { message = JSON.parse(line); } catch { return; }
      const { id, method, params } = message;
      if (id === undefined) return;
      if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: String(process.pid) } } });
      else if (method === "tools/list") say({ id, result: { tools: [tool("one"), tool("two")] } });
      else if (method === "tools/call") { const result = answer(params.name, params.arguments, id); if (result) say({ id, result }); }
      else say({ id, error: { code: -32601, message: "Method not found" } });
    });`;
  return { command: process.execPath, args: ["-e", script] };
}

const text = '({ content: [{ type: "text", text: name }] })';

/** Whether a process is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function checkAndSeeItGone(target: CommandTarget, options: CheckOptions = {}) {
  const run = await runCheck(target, { era: "legacy", ...options });
  const pid = Number(run.report.server?.version ?? 0);
  expect(pid > 1 && isAlive(pid)).toBe(false);
  return run;
}

// Side by side, since most of the time is waiting: for processes that do not answer, or do not end.
describe.concurrent("a process under check", () => {
  it("that ends at a call is started again, its other tool is called, and none of it is left", async () => {
    const target = scripted(`(name) => name === "one" ? process.exit(3) : ${text}`);
    const { record, report } = await checkAndSeeItGone(target);
    expect(record.problems[0]).toEqual({
      kind: "died",
      message: "the server stopped (exit code 3)",
      call: 0,
    });
    const answered = record.calls.filter(({ tool }) => tool === "two").map(({ reply }) => reply.kind);
    expect(answered).toContain("result");
    expect(report.isComplete).toBe(true);
  });

  it.runIf(isFullRun)("that ignores the end of its input is ended all the same", async () => {
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
    const { report } = await checkAndSeeItGone(scripted(`(name) => ${text}`, stubborn));
    expect(report.isReachable).toBe(true);
  });

  it.runIf(isFullRun)("that never greets costs the time limit for starting", async () => {
    const target = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };
    for (const era of ["auto", "legacy", "modern"] as const) {
      const { report, record } = await runCheck(target, { era, limits: { startMs: 400 } });
      expect(report).toMatchObject({ isReachable: false, calls: 0 });
      expect(record.problems).toMatchObject([{ kind: "start-timeout" }]);
    }
  });

  it.runIf(isFullRun)(
    "that takes no notice of methods it does not know is greeted as a legacy one",
    async () => {
      const { command, args = [] } = scripted(`(name) => ${text}`);
      const deaf = args.map((word) =>
        word.replace('else say({ id, error: { code: -32601, message: "Method not found" } });', ""),
      );
      const { report } = await runCheck({ command, args: deaf }, { limits: { callMs: 300 } });
      expect(report).toMatchObject({ era: "legacy", isReachable: true, isComplete: true });
    },
  );

  it.runIf(isFullRun)("that answers with more than is read has the answer dropped, and goes on", async () => {
    const huge =
      '(name) => ({ content: [{ type: "text", text: name === "one" ? "x".repeat(3_000_000) : name }] })';
    const { record } = await checkAndSeeItGone(scripted(huge), { limits: { maxMessageBytes: 1_000_000 } });
    const first = record.calls.find(({ tool }) => tool === "one");
    expect(first?.reply).toMatchObject({ kind: "oversized" });
    expect(first?.bytes).toBeGreaterThan(3_000_000);
    expect(record.calls.find(({ tool }) => tool === "two")?.reply.kind).toBe("result");
  });

  it.runIf(isFullRun)("that is stuck in a loop is started again", async () => {
    const stuck = `(name) => { if (name === "one") for (;;); return ${text}; }`;
    const { record, report } = await checkAndSeeItGone(scripted(stuck), { limits: { callMs: 500 } });
    expect(record.calls.find(({ tool }) => tool === "two")?.reply.kind).toBe("result");
    expect(report.isComplete).toBe(true);
  });

  it.runIf(isFullRun)("is ended when the check is told to stop", async () => {
    const control = new AbortController();
    const target = scripted("() => undefined");
    const options = { signal: control.signal, onProgress: () => control.abort() };
    const { report } = await checkAndSeeItGone(target, options);
    expect(report).toMatchObject({ isComplete: false, stopped: "the check was told to stop" });
  });
});

describe("published servers under check", () => {
  it.runIf(isFullRun).each(attachable)(
    "$server: listed, called, judged",
    async ({ nodeArgs, env, calls }) => {
      const folder = makeFolder();
      const target = { command: process.execPath, args: nodeArgs(folder), env: env?.(folder) };
      const all = calls(folder);
      const { report, record } = await runCheck(target, { args: all, limits: { callMs: 3_000 } });
      expect(report).toMatchObject({
        isReachable: true,
        isComplete: true,
        era: "legacy",
        transport: "stdio",
      });
      const called = new Set(record.calls.map(({ tool }) => tool));
      for (const name of Object.keys(all)) expect(called).toContain(name);
      const failed = report.rules.filter(({ because = "" }) => because.includes("could not judge"));
      expect(failed).toEqual([]);
      const given = record.calls.filter(({ purpose }) => purpose === "given");
      expect(given.every(({ reply }) => reply.kind === "result")).toBe(true);
    },
  );

  it.runIf(isFullRun)("server-everything over HTTP is the same server as over stdio", async () => {
    const everything = await serveEverything();
    onTestFinished(everything.close);
    const options = { limits: { callMs: 1_500 }, seed: 3 };
    const over = await runCheck({ url: everything.url }, options);
    const script = attachable.find(({ server }) => server === "server-everything");
    const beside = await runCheck({ command: process.execPath, args: script?.nodeArgs("") }, options);
    expect(over.report).toMatchObject({
      isReachable: true,
      isComplete: true,
      transport: "http",
      era: "legacy",
    });
    const callsOf = ({ record }: typeof over) =>
      record.calls.map(({ tool, purpose, arguments: args, reply }) => [tool, purpose, args, reply.kind]);
    const plain = (calls: ReturnType<typeof callsOf>) =>
      calls.filter(([, purpose]) => purpose !== "cancelled");
    expect(plain(callsOf(over))).toEqual(plain(callsOf(beside)));
  });
});

describe("an address", () => {
  async function addressThat(status: number, headers: Record<string, string> = {}): Promise<string> {
    const server = createServer((_request, response) => void response.writeHead(status, headers).end());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  it.each([
    [302, { location: "http://127.0.0.1:1/elsewhere" }, "redirected", /HTTP 302; redirects are not followed/],
    [401, {}, "refused", /HTTP 401: it wants credentials/],
    [500, {}, "refused", /HTTP 500/],
  ] as const)(
    "that answers %i is reported, and nothing else is tried",
    async (status, headers, kind, message) => {
      const { report, record } = await runCheck({ url: await addressThat(status, headers) });
      expect(report).toMatchObject({ isReachable: false, score: null });
      expect(record.problems.at(-1)).toMatchObject({
        kind,
        message: expect.stringMatching(message) as string,
      });
    },
  );

  it("at which no server listens is reported, without its password", async () => {
    const { report, record } = await runCheck({ url: "http://user:geheim@127.0.0.1:9/mcp?key=abc" });
    expect(report).toMatchObject({ isReachable: false, target: "http://127.0.0.1:9/mcp?…" });
    expect(record.problems).toMatchObject([
      { kind: "start-failed", message: expect.stringMatching(/could not be reached/) as string },
    ]);
  });
});
