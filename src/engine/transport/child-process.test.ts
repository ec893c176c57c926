import { afterEach, describe, expect, it } from "vitest";
import { until } from "./until.fixture.ts";
import type { OversizedMessage } from "./link.ts";
import { childEnvironment, type ChildLink, startChild } from "./child-process.ts";
import { scriptedServer } from "./scripted-server.fixture.ts";

const started: ChildLink[] = [];

afterEach(async () => {
  for (const child of started) child.close();
  await Promise.all(started.splice(0).map(({ ended }) => ended));
});

function start(options: Partial<Parameters<typeof startChild>[0]> = {}) {
  const heard: string[] = [];
  const oversized: OversizedMessage[] = [];
  const stderr: string[] = [];
  let closed: string | undefined;
  const child = startChild({
    ...scriptedServer,
    environment: childEnvironment({}),
    stderr: (line) => stderr.push(line),
    ...options,
  });
  started.push(child);
  child.listen({
    message: (bytes) => heard.push(bytes.toString()),
    oversized: (message) => oversized.push(message),
    closed: (why) => (closed = why),
  });
  return { child, heard, oversized, stderr, closed: () => closed };
}

const call = (name: string, args = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });

describe("a server's process", () => {
  it("hears and says messages, what it writes to stderr is relayed, and it ends when the link closes", async () => {
    const { child, heard, stderr, closed } = start();
    child.send(Buffer.from(call("echo", { text: "ä" })));
    child.send(call("echo", { text: "y".repeat(100_000) }));
    await until(() => heard.length === 2);
    expect(heard[0]).toBe('{"result":{"content":[{"type":"text","text":"ä"}]},"jsonrpc":"2.0","id":1}');
    expect(stderr).toEqual(["scripted server 1"]);
    child.close();
    await child.ended;
    expect(closed()).toBeUndefined();
  });

  it("says why it ended, and after half a message that too", async () => {
    const crashed = start();
    crashed.child.send(call("crash"));
    const half = start();
    half.child.send(call("half"));
    await until(() => crashed.closed() !== undefined && half.closed() !== undefined);
    expect(crashed.closed()).toBe("the server stopped (exit code 3)");
    expect(half.closed()).toMatch(/^the server stopped \(exit code 4\) after half a message of \d+ bytes$/);
  });

  it("that cannot be started closes its link, without naming a path", async () => {
    const missing = start({ command: "/no/such/command", args: [] });
    const elsewhere = start({ cwd: "/no/such/folder" });
    await until(() => missing.closed() !== undefined && elsewhere.closed() !== undefined);
    expect(missing.closed()).toBe("the server could not be started: its command was not found");
    expect(elsewhere.closed()).toBe("the server could not be started: its folder does not exist");
  });

  it("has a line over the limit dropped, and goes on", async () => {
    const { child, heard, oversized } = start({ maxMessageBytes: 1_000_000 });
    child.send(call("huge", { megabytes: 3 }));
    await until(() => oversized.length === 1);
    child.send(call("echo"));
    await until(() => heard.length === 1);
    expect(oversized).toEqual([{ bytes: 3_145_801, rawId: "1", isResponse: true }]);
  });
});

describe("a process that is stopped", () => {
  it("is heard until it has ended, on stderr too, before its end is told", async () => {
    const last = 'console.log("{}"); console.error("bye"); process.exit(5)';
    const told: string[] = [];
    const { child, heard, closed } = start({
      args: [
        "-e",
        `setInterval(() => 0, 9_000); process.on("SIGTERM", () => { ${last} }); console.log("ready")`,
      ],
      stderr: (line) => told.push(`${line}, ${closed() ?? "not closed"}`),
    });
    await until(() => heard.length === 1);
    child.stop();
    await until(() => closed() !== undefined);
    expect(heard).toEqual(["ready", "{}"]);
    expect(told).toEqual(["bye, not closed"]);
    expect(closed()).toBe("the server stopped (exit code 5)");
  });

  it("has its stdout relayed as lines where it carries no messages, and is told in its owner's words", async () => {
    const lines: string[] = [];
    const { heard, closed } = start({
      args: ["-e", 'console.log("one\\n"); process.stdout.write("no end")'],
      stdout: (line) => lines.push(line),
      describeExit: (code) => `ended with ${code}`,
    });
    await until(() => closed() !== undefined);
    expect([lines, heard, closed()]).toEqual([["one", "", "no end"], [], "ended with 0"]);
  });
});

describe("its environment", () => {
  const from = {
    PATH: "/bin",
    HOME: "/home/u",
    AWS_SECRET_ACCESS_KEY: "a",
    WAYBILL_SECRET: "s",
    WAYBILL_SUMMARISER_KEY: "k",
    WAYBILL_PROFILE: "minimal",
    WAYBILL_BUDGET_TOKENS: "77",
    SHELL: "() { echo; }",
  };

  it("is a short list of safe variables and what is set for it", () => {
    expect(childEnvironment({ env: { TOKEN: "t" } }, from)).toEqual({
      PATH: "/bin",
      HOME: "/home/u",
      TOKEN: "t",
    });
  });

  it("is all of ours but Waybill's secrets where it is inherited", () => {
    const { WAYBILL_SECRET: _secret, WAYBILL_SUMMARISER_KEY: _key, ...rest } = from;
    expect(childEnvironment({ inheritEnv: true }, from)).toEqual(rest);
  });
});
