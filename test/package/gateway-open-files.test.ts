import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type Socket, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { greeting } from "../../src/doors/gateway/bridge/raw-http.fixture.ts";
import { linesServer } from "../journeys/dashboard.fixture.ts";

/** Enough to start; what clients can use up of them is a few. */
const OPEN_FILES = 60;
const root = fileURLToPath(new URL("../../", import.meta.url));
const ends: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A gateway in a process of its own that may have few files open, with archives in a folder. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), "waybill-open-files-"));
  const config = join(folder, "config.json");
  const lines = { command: process.execPath, args: [linesServer], max_processes: 100 };
  writeFileSync(config, JSON.stringify({ upstreams: { lines } }));
  const words = ["gateway", "--http", "0", "--config", config, "--store", join(folder, "archive")];
  const limited = `ulimit -n ${OPEN_FILES}; exec "$0" "$@"`;
  const node = [process.execPath, "dist/cli/main.js", ...words];
  const child = spawn("bash", ["-c", limited, ...node], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  ends.push(async () => {
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  const find = (): string => /http:\S+\/mcp/.exec(said)?.[0] ?? "";
  await vi.waitFor(() => expect(find()).not.toBe(""), { timeout: 20_000, interval: 50 });
  return { url: new URL(find()), said: () => said, hasEnded: () => child.exitCode !== null };
}

function send(url: URL, body: object | undefined, headers: Record<string, string> = {}): Promise<Answer> {
  const all = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const options = {
    method: body ? "POST" : "DELETE",
    headers: { ...all, ...headers },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      answer.on("end", () => {
        const { statusCode: status = 0, headers: given } = answer;
        resolve({ status, headers: given, body: Buffer.concat(chunks).toString() });
      });
    });
    asked.on("error", reject).end(body && JSON.stringify(body));
  });
}

const calling = (id: number): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "lines", arguments: { count: 20_000 + id } },
});

/** Greets until no process can be started any more. */
async function fill(
  url: URL,
): Promise<{ readonly sessions: Record<string, string>[]; readonly refused: Answer }> {
  const sessions: Record<string, string>[] = [];
  for (;;) {
    const answer = await send(url, greeting);
    if (answer.status !== 200 || sessions.length > OPEN_FILES) return { sessions, refused: answer };
    sessions.push({ "mcp-session-id": String(answer.headers["mcp-session-id"]) });
  }
}

function flood({ port }: URL, count: number): Socket[] {
  return Array.from({ length: count }, () => connect(Number(port), "127.0.0.1").on("error", () => undefined));
}

// Only Linux says how many files a process may have open.
describe.runIf(process.platform === "linux")("a gateway that may have few files open", () => {
  it("refuses what it has no room for, serves the others, and serves again when there is room", async () => {
    const { url, said, hasEnded } = await start();
    const { sessions, refused } = await fill(url);
    expect(sessions.length).toBeGreaterThan(1);
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect(JSON.parse(refused.body)).toMatchObject({
      id: 0,
      error: { code: -32000, data: { error_code: "UNAVAILABLE", executed: "no" } },
    });
    await vi.waitFor(() => expect(said()).toMatch(/too many files are open \(EMFILE\)\. Raise the limit/));
    // The first cut of this process: what it needs for that is read from files, and the whole is written to one.
    const kept = await send(url, calling(1), sessions[0]);
    const crowd = flood(url, 300);
    ends.push(() => crowd.forEach((socket) => socket.destroy()));
    await vi.waitFor(() => expect(said()).toMatch(/clients are turned away/), { timeout: 20_000 });
    expect(hasEnded()).toBe(false);
    for (const socket of crowd) socket.destroy();
    for (const session of sessions.slice(1)) {
      const ended = (): Promise<Answer> => send(url, undefined, session);
      await vi.waitFor(async () => expect([200, 404]).toContain((await ended()).status), { timeout: 20_000 });
    }
    const again = await vi.waitFor(
      async () => {
        const answer = await send(url, greeting);
        expect(answer.status).toBe(200);
        return answer;
      },
      { timeout: 30_000, interval: 50 },
    );
    const session = { "mcp-session-id": String(again.headers["mcp-session-id"]) };
    for (const answer of [
      kept,
      await send(url, calling(2), sessions[0]),
      await send(url, calling(3), session),
    ])
      expect(answer.body).toMatch(/content_archive_hashes/);
  });
});
