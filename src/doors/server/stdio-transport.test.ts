import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Server as Server132 } from "mcp-sdk-1-32/server/index.js";
import { CallToolRequestSchema } from "mcp-sdk-1-32/types.js";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { linesOf } from "../../../test/arbitrary/loose-json.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { validateMessage } from "../../core/protocol/validate-message.ts";
import { attachContract } from "./attach-contract.ts";
import { createContract } from "./create-contract.ts";
import { stdioTransport } from "./stdio-transport.ts";

const echo = defineTool("echo", { description: "Echoes" }, (args) => ({ said: args }));
const contract = createContract({ name: "lines", logLevel: "silent", dialect: "drf" });
const build = () => contract.server(new McpServer({ name: "lines", version: "1.0.0" })).add(echo);

interface Lines {
  readonly write: (bytes: string | Uint8Array) => void;
  /** The next answer. */
  readonly next: () => Promise<JsonObject>;
  readonly end: () => void;
}

function streams(): Lines & { readonly stdin: PassThrough; readonly stdout: PassThrough } {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const reading = stdout.setEncoding("utf8")[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = "";
  const next = async (): Promise<JsonObject> => {
    for (;;) {
      const end = text.indexOf("\n");
      if (end !== -1) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return JSON.parse(line) as JsonObject;
      }
      const { value, done } = await reading.next();
      if (done === true) throw new Error("The output has ended.");
      text += value;
    }
  };
  return { stdin, stdout, write: (bytes) => void stdin.write(bytes), next, end: () => void stdin.end() };
}

function serve(): Lines {
  const { stdin, stdout, ...lines } = streams();
  serveStdio(build, { transport: stdioTransport({ stdin, stdout }) });
  return lines;
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1.0.0" } },
};

describe("stdioTransport", () => {
  // shows 003.9
  it.each([
    ["a broken line", '{"jsonrpc": "2.0", "method":', -32700, "Parse error", null],
    ["a line that is no JSON", "hello", -32700, "Parse error", null],
    ["an empty batch", "[]", -32600, "Invalid Request", null],
    ["a batch", JSON.stringify([initialize]), -32600, "Invalid Request", null],
    ["a request without jsonrpc", '{"id":7,"method":"tools/list"}', -32600, "Invalid Request", 7],
    [
      "a request with a broken id",
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      -32600,
      "Invalid Request",
      null,
    ],
    [
      "params that are a list",
      '{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}',
      -32600,
      "Invalid Request",
      "a",
    ],
  ])("answers %s, and goes on", async (_name, line, code, message, id) => {
    const { write, next, end } = serve();
    write(`${line}\n`);
    const answer = await next();
    expect(answer).toEqual({ jsonrpc: "2.0", error: { code, message }, id });
    expect(validateMessage(answer).valid).toBe(true);
    write(`${JSON.stringify(initialize)}\n`);
    expect(await next()).toMatchObject({ id: 1, result: { serverInfo: { name: "lines" } } });
    end();
  });

  it("answers a line that is no UTF-8, in place of guessing what it says", async () => {
    const { write, next, end } = serve();
    write(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff"}}\n', "latin1"));
    expect(await next()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32700, message: "Parse error" },
      id: null,
    });
    end();
  });

  it("names an unknown method, as the drf dialect does", async () => {
    const { write, next, end } = serve();
    write(`${JSON.stringify(initialize)}\n`);
    await next();
    write('{"jsonrpc":"2.0","method":"invalid_method","params":{},"id":3}\n');
    expect(await next()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32601, message: "Method not found: invalid_method" },
      id: 3,
    });
    end();
  });

  it("writes a message as one line to every reader of lines", async () => {
    const { stdin, stdout } = streams();
    const transport = stdioTransport({ stdin, stdout });
    await transport.start();
    const message = { text: "a\u2028b\u2029c\u0085d\ne" };
    let written = "";
    stdout.on("data", (text: string) => (written += text));
    await transport.send(message);
    await expect.poll(() => written.endsWith("\n")).toBe(true);
    expect(linesOf(written).map((line) => JSON.parse(line) as unknown)).toEqual([message]);
    await transport.close();
  });

  it("reads lines in any pieces, blank ones and both line ends included", async () => {
    const { write, next, end } = serve();
    write(`${JSON.stringify(initialize)}\r\n\n  \n`);
    await next();
    const args = { text: "grüße, 世界 🌍" };
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", arguments: args } };
    for (const byte of Buffer.from(`${JSON.stringify(call)}\n`)) write(Uint8Array.of(byte));
    const { result } = (await next()) as { result: { content: readonly { text: string }[] } };
    expect(JSON.parse(result.content[0]?.text ?? "")).toEqual({ said: args });
    end();
  });

  it("drops what wants no answer and says nothing", async () => {
    const { write, next, end } = serve();
    write('{"jsonrpc":"2.0","method":"x","params":[]}\n{"jsonrpc":"2.0","id":9,"result":{},"error":{}}\n');
    write(`${JSON.stringify(initialize)}\n`);
    expect(await next()).toMatchObject({ id: 1 });
    end();
  });

  it("ends the connection at a line over its limit, and says so", async () => {
    const { stdin, stdout } = streams();
    const transport = stdioTransport({ stdin, stdout, maxLineBytes: 100 });
    const errors: Error[] = [];
    const onerror = (error: Error) => void errors.push(error);
    const closed = new Promise<void>((onclose) => void Object.assign(transport, { onclose, onerror }));
    await transport.start();
    stdin.write("x".repeat(101));
    await closed;
    expect(errors.map(({ message }) => message)).toEqual(["A line is longer than 100 bytes."]);
    await expect(transport.send({})).rejects.toThrow("closed");
    await expect(transport.start()).rejects.toThrow("started already");
  });

  it("refuses a limit of zero", () => {
    expect(() => stdioTransport({ maxLineBytes: 0 })).toThrow("maxLineBytes is 0");
  });

  it("serves a server of SDK v1 under attachContract", async () => {
    const { stdin, stdout, write, next } = streams();
    const server = new Server132({ name: "old", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text: '"done"' }] }));
    await attachContract(server, contract).connect(stdioTransport({ stdin, stdout }));
    write(`nonsense\n${JSON.stringify(initialize)}\n`);
    expect([await next(), await next()]).toMatchObject([{ error: { code: -32700 } }, { id: 1, result: {} }]);
    await server.close();
  });
});

describe("the workshop over its own stdio", () => {
  it.runIf(isFullRun).each(["legacy", { pin: "2026-07-28" }] as const)(
    "serves a client of the SDK, %j",
    async (mode) => {
      const entry = fileURLToPath(new URL("../../../examples/workshop/stdio.ts", import.meta.url));
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: ["--import", "tsx", entry],
        env: { ...(process.env as Record<string, string>), WORKSHOP_LOG: "off" },
        stderr: "ignore",
      });
      const client = new Client({ name: "c", version: "1.0.0" }, { versionNegotiation: { mode } });
      await client.connect(transport);
      const { structuredContent } = await client.callTool({
        name: "server",
        arguments: { action: "capabilities" },
      });
      expect(structuredContent).toMatchObject({ success: true });
      await client.close();
    },
  );
});
