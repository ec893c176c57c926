// Bytes in, bytes out: every kind of exchange, in both eras of the protocol, through every way that the gateway connects a
// client and a server. What is recorded is in test/fixtures/gateway-exchanges; `npx vitest run -u` records it again.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { UpstreamOptions } from "../../src/doors/gateway/gateway-options.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";

const file = fileURLToPath(new URL("scripted-server.fixture.mjs", import.meta.url));
const { answersTo } = (await import(pathToFileURL(file).href)) as {
  readonly answersTo: (line: string) => readonly string[] | undefined;
};
const recorded = fileURLToPath(new URL("../fixtures/gateway-exchanges", import.meta.url));

type Era = "legacy" | "modern";
const VERSION = "2026-07-28";
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"${VERSION}","io.modelcontextprotocol/clientCapabilities":{}`;

/** A request as text: `id` is the JSON text of its id. */
function request(era: Era, id: string, method: string, params = "", token?: string): string {
  const progress = token === undefined ? "" : `,"progressToken":${token}`;
  const own =
    era === "modern"
      ? `${meta}${progress}}`
      : token === undefined
        ? ""
        : `"_meta":{"progressToken":${token}}`;
  const all = [params, own].filter((each) => each !== "").join(",");
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${all}}}`;
}

interface Exchange {
  readonly says: string;
  /** Sent one after the other, without waiting. */
  readonly sent: readonly string[];
  /** How many messages come back on stdio. */
  readonly heard: number;
}

function exchangesOf(era: Era): readonly Exchange[] {
  const ask = (id: string, method: string, params?: string): string => request(era, id, method, params);
  const call = (id: string, name: string, token?: string): string =>
    request(era, id, "tools/call", `"name":"${name}","arguments":{"n":1.0}`, token);
  const greeting =
    era === "modern"
      ? [{ says: "greeting", sent: [ask("0", "server/discover")], heard: 1 }]
      : [
          {
            says: "greeting",
            sent: [
              ask(
                "0",
                "initialize",
                '"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}',
              ),
            ],
            heard: 1,
          },
          {
            says: "notification",
            sent: ['{"jsonrpc":"2.0","method":"notifications/initialized"}'],
            heard: 0,
          },
        ];
  return [
    ...greeting,
    { says: "list", sent: [ask("1", "tools/list")], heard: 1 },
    { says: "untouched", sent: [call("2", "read")], heard: 1 },
    { says: "a number too large for a double", sent: [call("9007199254740993", "read")], heard: 1 },
    { says: "ids of different type", sent: [call("7", "read"), call('"7"', "fail")], heard: 2 },
    { says: "cut", sent: [call('"cut"', "long")], heard: 1 },
    { says: "failure", sent: [call("3", "fail")], heard: 1 },
    { says: "progress", sent: [call("4", "progress", '"token"')], heard: 3 },
    { says: "a notification of the server", sent: [call("5", "log")], heard: era === "modern" ? 1 : 2 },
    { says: "unknown method", sent: [ask("6", "nothing/known")], heard: 1 },
    { says: "oversized", sent: [call("8", "huge")], heard: 1 },
    { says: "no JSON", sent: ['{"jsonrpc":"2.0",'], heard: 1 },
  ];
}

/** How a client reaches the gateway. */
interface Client {
  /** Sends messages, and gives what came back. */
  exchange(sent: readonly string[], heard: number): Promise<readonly string[]>;
  /** Asks for what never comes, and cancels that as soon as the server has `reached` it. */
  cancel(reached: () => Promise<void>): Promise<readonly string[]>;
}

function cancelling(id: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"enough"}}`;
}

function onStdio(era: Era, upstream: UpstreamOptions): Client {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const gateway = openGateway(optionsOf(upstream), { stdin, stdout, serverNote: () => undefined });
  onTestFinished(() => gateway.close());
  void gateway.listen();
  let text = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const exchange = async (sent: readonly string[], heard: number): Promise<readonly string[]> => {
    for (const line of sent) stdin.write(`${line}\n`);
    await vi.waitFor(() => expect(text.split("\n").length - 1).toBeGreaterThanOrEqual(heard), 10_000);
    const lines = text.split("\n").slice(0, -1);
    text = "";
    return lines.toSorted();
  };
  return {
    exchange,
    cancel: async (reached) => {
      await exchange([request(era, "30", "tools/call", '"name":"never","arguments":{}')], 0);
      await reached();
      return exchange([cancelling("30")], 0);
    },
  };
}

/** Headers of every answer of Node, or of no meaning for a client. */
const passedOver = new Set(["date", "connection", "keep-alive", "transfer-encoding", "content-length"]);
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function overHttp(era: Era, upstream: UpstreamOptions): Promise<Client> {
  const options = { ...optionsOf(upstream), http: { port: 0 } };
  const gateway = openGateway(options, { serverNote: () => undefined });
  onTestFinished(() => gateway.close());
  const { urls } = await gateway.listen();
  let session: string | undefined;
  const headersOf = (body: string): Record<string, string> => {
    const [, method = ""] = /"method":"([^"]*)"/.exec(body) ?? [];
    const [, name] = /"name":"([^"]*)","arguments"/.exec(body) ?? [];
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...(era === "modern" && { "mcp-protocol-version": VERSION, "mcp-method": method }),
      ...(era === "modern" && name !== undefined && { "mcp-name": name }),
    };
  };
  const post = async (body: string, signal: AbortSignal = AbortSignal.timeout(20_000)): Promise<string[]> => {
    const answer = await fetch(urls["scripted"] ?? "", {
      method: "POST",
      headers: headersOf(body),
      body,
      signal,
    });
    session ??= answer.headers.get("mcp-session-id") ?? undefined;
    const headers = [...answer.headers].filter(([name]) => !passedOver.has(name));
    const text = await answer.text();
    return [
      String(answer.status),
      ...headers.map(([name, value]) => `${name}: ${value.replace(uuid, "UUID")}`),
      "",
      ...(text === "" ? [] : text.split("\n")),
    ];
  };
  return {
    // One after the other: requests on two connections may reach the server in any order.
    exchange: async (sent) => {
      const answers: string[] = [];
      for (const body of sent) answers.push(...(await post(body)));
      return answers;
    },
    cancel: async (reached) => {
      const leaving = new AbortController();
      const asked = post(
        request(era, "30", "tools/call", '"name":"never","arguments":{}'),
        leaving.signal,
      ).catch(() => ["(left)"]);
      await reached();
      if (era === "modern") leaving.abort();
      else return [...(await post(cancelling("30"))), ...(await asked)];
      return asked;
    },
  };
}

function optionsOf(upstream: UpstreamOptions) {
  return {
    upstreams: { scripted: { ...upstream, maxMessageBytes: 65_536, probe: "off" } },
    store: memoryStore(),
    logLevel: "silent",
    budget: { tokens: 300 },
    requestIds: () => "req_1",
    now: () => 1_800_000_000_000,
  } as const;
}

interface Scripted {
  readonly upstream: UpstreamOptions;
  /** What the server has heard by now. */
  readonly heard: () => readonly string[];
}

/** The scripted server over HTTP: one message as JSON, several as events; a session in the legacy era. */
async function serveScripted(era: Era): Promise<Scripted> {
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((asked, response) => {
    const chunks: Buffer[] = [];
    asked.on("data", (chunk: Buffer) => chunks.push(chunk));
    asked.on("end", () => {
      const line = Buffer.concat(chunks).toString();
      if (asked.method !== "POST" || line === "") return void response.writeHead(405).end();
      const shown = Object.entries(asked.headers).filter(([name]) => name.startsWith("mcp-"));
      heard.push([...shown.map(([name, value]) => `${name}: ${String(value)}`), line].join(" "));
      const said = answersTo(line);
      if (line.includes("notifications/cancelled")) for (const end of waiting) end();
      const session = era === "legacy" ? { "mcp-session-id": "scripted-session" } : {};
      if (said?.length === 0) return void response.writeHead(202, session).end();
      if (said?.length === 1)
        return void response.writeHead(200, { ...session, "content-type": "application/json" }).end(said[0]);
      response.writeHead(200, { ...session, "content-type": "text/event-stream" });
      response.flushHeaders();
      for (const each of said ?? []) response.write(`event: message\ndata: ${each}\n\n`);
      if (said !== undefined) return void response.end();
      waiting.add(() => response.end());
      return void response.on("close", () => {
        if (!response.writableEnded) heard.push("(the response was closed)");
      });
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { upstream: { url: `http://127.0.0.1:${port}/mcp` }, heard: () => heard };
}

function startScripted(): Scripted {
  const folder = mkdtempSync(join(tmpdir(), "waybill-exchanges-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = join(folder, "heard.txt");
  return {
    upstream: { command: process.execPath, args: [file, log] },
    heard: () => readFileSync(log, "utf8").trimEnd().split("\n"),
  };
}

describe.each(["command", "URL"] as const)("a %s", (kind) => {
  describe.each(["stdio", "HTTP"] as const)("behind %s", (way) => {
    it.each(["legacy", "modern"] as const)("answers as it was recorded, in the %s era", async (era) => {
      const { upstream, heard: heardBy } = kind === "URL" ? await serveScripted(era) : startScripted();
      const client = way === "stdio" ? onStdio(era, upstream) : await overHttp(era, upstream);
      const parts: string[] = [];
      const record = (says: string, sent: readonly string[], heard: readonly string[]): void => {
        const lines = [...sent.map((line) => `> ${line}`), ...heard.map((line) => `< ${line}`.trimEnd())];
        parts.push([`## ${says}`, ...lines, ""].join("\n"));
      };
      for (const { says, sent, heard } of exchangesOf(era))
        record(says, sent, await client.exchange(sent, heard));
      const heardLast = (of: RegExp) => async (): Promise<void> =>
        vi.waitFor(() => expect(heardBy().at(-1)).toMatch(of), 10_000);
      record("cancelled", [], await client.cancel(heardLast(/never/)));
      await heardLast(/cancelled|closed/)();
      record("what the server heard", [], heardBy());
      await expect(parts.join("\n")).toMatchFileSnapshot(
        join(recorded, `${kind.toLowerCase()}-${way.toLowerCase()}-${era}.txt`),
      );
    });
  });
});
