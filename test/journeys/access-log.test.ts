import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AccessLine } from "../../src/doors/gateway/access-log/access-line.ts";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { Gateway, GatewayOptions } from "../../src/doors/gateway/gateway-options.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const TIMEOUT_MS = 120_000;
const everything = {
  command: process.execPath,
  args: [
    fileURLToPath(
      new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
    ),
    "stdio",
  ],
};
const alice = "token-of-alice-0123456789";
const bob = "token-of-bob-9876543210";
const auth = { gateway: { tokens: { alice, bob } } };

async function open(accessLog: GatewayOptions["accessLog"], more: Partial<GatewayOptions> = {}) {
  const gateway = createGateway({
    upstreams: {
      open: { ...everything, auth },
      limited: { ...everything, auth, rateLimit: { limit: 3, periodSeconds: 3_600 } },
    },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
    accessLog,
    ...more,
  });
  onTestFinished(() => gateway.close());
  const { urls, merged = "" } = await gateway.listen();
  return { gateway, merged, url: (name: string) => urls[name] ?? "" };
}

async function connect(url: string, token: string, mode: "auto" | "legacy" = "auto") {
  const client = new Client({ name: "tester", version: "1" }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args }).catch((error: unknown) => error);
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Requests that are refused before they become calls, each with its status. */
function refusals(url: string) {
  const signed = { ...json, authorization: `Bearer ${alice}` };
  const post = (headers: Record<string, string>, body = "{}", at = url) =>
    fetch(at, { method: "POST", headers, body });
  return [
    [401, () => post(json)],
    [401, () => post({ ...json, authorization: "Bearer wrong-token-0123456789" })],
    [403, () => post({ ...signed, origin: "https://elsewhere.example" })],
    [404, () => post(signed, "{}", new URL("/nowhere/mcp", url).href)],
    [406, () => fetch(url, { headers: { ...signed, accept: "text/html" } })],
    [413, () => post(signed, " ".repeat(5 * 1024 * 1024))],
    [415, () => post({ ...signed, "content-type": "text/plain" })],
    [400, () => post(signed, "no JSON")],
  ] as const;
}

function total(lines: readonly AccessLine[], key: "bytes_out" | "tokens_in" | "tokens_out"): number {
  return lines.reduce((sum, line) => sum + (line[key] ?? 0), 0);
}

/** The sum of a metric over all its series that have this label. */
async function metric(gateway: Gateway, url: string, name: string, label = ""): Promise<number> {
  const page = await (await fetch(new URL("/metrics", url))).text();
  return page
    .split("\n")
    .filter((line) => /^[{ ]/.test(line.slice(name.length)) && line.startsWith(name) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

describe("the access log of a gateway over HTTP", () => {
  it(
    "has one line for each call and each refusal, and its sums are those of the metrics and the summary",
    async () => {
      const lines: AccessLine[] = [];
      const { gateway, url } = await open((line) => lines.push(line));
      const [byAlice, byBob, limited] = [
        await connect(url("open"), alice),
        await connect(url("open"), bob, "legacy"),
        await connect(url("limited"), bob, "legacy"),
      ];
      const long = Array.from({ length: 4_000 }, (_, at) => `line ${at} of a long text`).join("\n");
      const kinds = [
        () => byAlice("echo", { message: "hello" }),
        () => byBob("get-sum", { a: 2, b: 3 }),
        () => byAlice("echo", { message: long }),
        () => byBob("get-sum", { a: "no number" }),
        () => byAlice("no-such-tool"),
        () => limited("echo", { message: "few of these" }),
        ...refusals(url("open")).map(([, send]) => send),
      ];
      const rounds = Math.ceil((isFullRun ? 1_000 : 98) / kinds.length);
      for (let round = 0; round < rounds; round++) await Promise.all(kinds.map((send) => send()));
      const wanted = rounds * kinds.length;
      await vi.waitFor(() => expect(lines).toHaveLength(wanted), 10_000);

      const by = (outcome: string) => lines.filter((line) => line.outcome === outcome);
      const answered = [
        ...by("success"),
        ...by("failure"),
        ...lines.filter(({ code }) => code === "RATE_LIMIT_EXCEEDED"),
      ];
      const page = url("open");
      expect(await metric(gateway, page, "waybill_calls_total")).toBe(answered.length);
      expect(await metric(gateway, page, "waybill_errors_total")).toBe(
        answered.filter(({ code }) => code !== undefined).length,
      );
      expect(await metric(gateway, page, "waybill_cuts_total")).toBe(lines.filter(({ cut }) => cut).length);
      expect(await metric(gateway, page, "waybill_result_bytes_total")).toBe(total(answered, "bytes_out"));
      expect(await metric(gateway, page, "waybill_auth_refusals_total")).toBe(
        lines.filter(({ status }) => status === 401).length,
      );
      const summary = await gateway.summary();
      expect(summary.calls).toBe(answered.length);
      expect(summary.cuts).toBe(rounds);
      for (const [key, told, counter] of [
        ["tokens_in", summary.tokensIn, "waybill_tokens_in_total"],
        ["tokens_out", summary.tokensOut, "waybill_tokens_out_total"],
      ] as const) {
        expect(told).toBe(total(answered, key));
        expect(await metric(gateway, page, counter)).toBe(told);
      }
      for (const [status] of refusals(page))
        expect(lines.filter((line) => line.status === status).length).toBeGreaterThanOrEqual(rounds);
      expect(new Set(lines.map(({ caller }) => caller))).toEqual(
        new Set([undefined, "sub:open/alice", "sub:open/bob", "sub:limited/bob"]),
      );
      const text = JSON.stringify(lines);
      for (const hidden of [alice, bob, "hello", "of a long text", "no number", "wrong-token"])
        expect(text).not.toContain(hidden);
    },
    TIMEOUT_MS,
  );
});

describe("the access log of several servers at one address", () => {
  it(
    "has one line for each call and each refusal there, and its sums are those of the metrics and the summary",
    async () => {
      const lines: AccessLine[] = [];
      // Servers of one name share their limits within a process, and other tests have used up those of "limited".
      const few = { ...everything, auth, rateLimit: { limit: 3, periodSeconds: 3_600 } };
      const upstreams = { open: { ...everything, auth }, few };
      const { gateway, url, merged } = await open((line) => lines.push(line), { upstreams });
      const [byAlice, byBob] = [await connect(merged, alice), await connect(merged, bob, "legacy")];
      const long = Array.from({ length: 4_000 }, (_, at) => `line ${at} of a long text`).join("\n");
      const kinds = [
        () => byAlice("open_echo", { message: "hello" }),
        () => byBob("open_get-sum", { a: 2, b: 3 }),
        () => byAlice("open_echo", { message: long }),
        () => byBob("open_get-sum", { a: "no number" }),
        () => byBob("few_echo", { message: "few of these" }),
        () => byAlice("no-such-tool"),
        () => fetch(merged, { method: "POST", headers: json, body: "{}" }),
      ];
      const rounds = isFullRun ? 40 : 6;
      for (let round = 0; round < rounds; round++) await Promise.all(kinds.map((send) => send()));
      await vi.waitFor(() => expect(lines).toHaveLength(rounds * kinds.length), 10_000);
      const of = (key: keyof AccessLine, value: unknown) => lines.filter((line) => line[key] === value);
      expect(of("status", 401)).toHaveLength(rounds);
      expect(of("tool", "no-such-tool").map(({ outcome }) => outcome)).toEqual(Array(rounds).fill("refused"));
      const limited = of("upstream", "few");
      expect(limited.filter(({ code }) => code === "RATE_LIMIT_EXCEEDED")).toHaveLength(rounds - 3);
      const answered = [...of("upstream", "open"), ...limited];
      expect(answered).toHaveLength(5 * rounds);
      const page = url("open");
      expect(await metric(gateway, page, "waybill_calls_total")).toBe(answered.length);
      expect(await metric(gateway, page, "waybill_cuts_total")).toBe(rounds);
      expect(await metric(gateway, page, "waybill_result_bytes_total")).toBe(total(answered, "bytes_out"));
      const { calls, cuts, tokensIn, tokensOut } = await gateway.summary();
      expect([calls, cuts]).toEqual([answered.length, of("cut", true).length]);
      expect([tokensIn, tokensOut]).toEqual([total(answered, "tokens_in"), total(answered, "tokens_out")]);
    },
    TIMEOUT_MS,
  );
});

describe("a caller who has a thousand calls open", () => {
  it.runIf(isFullRun)(
    "is refused one more with 429, which has a line",
    async () => {
      const lines: AccessLine[] = [];
      const args = ["--import", "tsx", fileURLToPath(new URL("pid-server.fixture.ts", import.meta.url))];
      const { url } = await open((line) => lines.push(line), {
        upstreams: { open: { command: process.execPath, args, auth } },
      });
      const byAlice = await connect(url("open"), alice, "legacy");
      const answers = Array.from({ length: 1_001 }, () => byAlice("echo", { text: "late", ms: 600_000 }));
      await vi.waitFor(() => expect(lines).toHaveLength(1), TIMEOUT_MS);
      expect(lines).toMatchObject([{ outcome: "refused", status: 429, upstream: "open", method: "POST" }]);
      expect(String(await Promise.race(answers))).toContain("Too many of your requests");
    },
    TIMEOUT_MS,
  );
});

describe("a file as access log", () => {
  it(
    "is opened again on SIGHUP, and lines go on in the new file",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "waybill-access-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      const file = join(folder, "access.log");
      const { gateway, url } = await open(file);
      const call = await connect(url("open"), alice);
      await call("echo", { message: "one" });
      await vi.waitFor(async () => expect(await readFile(file, "utf8")).toContain('"tool":"echo"'));
      await rename(file, `${file}.1`);
      process.emit("SIGHUP");
      await call("get-sum", { a: 1, b: 2 });
      await gateway.close();
      const [before, after] = [await readFile(`${file}.1`, "utf8"), await readFile(file, "utf8")];
      expect(
        before
          .trimEnd()
          .split("\n")
          .map((line) => (JSON.parse(line) as AccessLine).tool),
      ).toEqual(["echo"]);
      expect(
        after
          .trimEnd()
          .split("\n")
          .map((line) => (JSON.parse(line) as AccessLine).tool),
      ).toEqual(["get-sum"]);
    },
    TIMEOUT_MS,
  );

  it("whose folder is gone does not hold the gateway up, and goes on when the folder is there again", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waybill-access-"));
    const file = join(folder, "access.log");
    const { gateway, url } = await open(file);
    await rm(folder, { recursive: true });
    process.emit("SIGHUP");
    await fetch(new URL("/nowhere/mcp", url("open")));
    await mkdir(folder);
    onTestFinished(() => rm(folder, { recursive: true }));
    process.emit("SIGHUP");
    await fetch(new URL("/elsewhere/mcp?key=hidden", url("open")));
    await gateway.close();
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as AccessLine)).toMatchObject([
      { outcome: "refused", status: 404, method: "GET", path: "/elsewhere/mcp" },
    ]);
  });

  it("that cannot be written is refused at the start, with its path and what to do", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waybill-access-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "file"), "");
    await expect(open(join(folder, "file", "access.log"))).rejects.toThrow(
      /"accessLog" names ".*access\.log", which cannot be written \(ENOTDIR\)\. Name a file in a folder/,
    );
    await expect(open("")).rejects.toThrow(/accessLog/);
  });
});
