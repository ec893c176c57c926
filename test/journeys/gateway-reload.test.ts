import { renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Client } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport } from "mcp-sdk-1-32/client/streamableHttp.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTempFolder } from "../../src/engine/settings/temp-folder.fixture.ts";
import { watchConfig } from "../../src/engine/settings/watch-config.ts";
import { readGatewayConfig } from "../../src/doors/gateway/config/read-gateway-config.ts";
import { openGateway } from "../../src/doors/gateway/create-gateway.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const everything = resolve("node_modules/.bin/mcp-server-everything");

const until = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 60_000, interval: 200 });

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: { readonly meta?: { readonly content_fidelity?: string } };
}

const textOf = ({ content }: Result): string => content.map(({ text = "" }) => text).join("\n");

describe.runIf(isFullRun)("a gateway whose file is edited while it serves", () => {
  it("takes a new budget at once, a new server for new sessions, and finishes every call that runs", async () => {
    const folder = createTempFolder();
    const file = folder.path("repo/gateway.json");
    const write = (upstreams: object): void => {
      writeFileSync(`${file}.new`, JSON.stringify({ http: { port: 0 }, store: "memory", upstreams }));
      renameSync(`${file}.new`, file);
    };
    const first = { command: process.execPath, args: [everything], env: { ROUND: "one" } };
    write({ everything: first });
    const config = await watchConfig({ configPath: file, environment: {} });
    const { upstreams, http } = readGatewayConfig(config.current, {});
    const problems: string[] = [];
    const say = (_fields: object, event: string): void => void problems.push(event);
    const logger = { info: () => undefined, warn: say, error: say };
    const gateway = openGateway({ upstreams, http, config, logger }, { followsFile: true });
    onTestFinished(async () => {
      await gateway.close();
      await config.close();
    });
    const { urls } = await gateway.listen();
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: "reload", version: "1.0.0" });
      await client.connect(new StreamableHTTPClientTransport(new URL(urls["everything"] ?? "")));
      return client;
    };
    const call = async (client: Client, name: string, args = {}): Promise<Result> =>
      (await client.callTool({ name, arguments: args })) as unknown as Result;
    const roundOf = async (client: Client): Promise<string | undefined> =>
      /"ROUND": "(\w+)"/.exec(textOf(await call(client, "get-env")))?.[1];

    const early = await connect();
    const message = "word ".repeat(2_000);
    expect(textOf(await call(early, "echo", { message }))).toBe(`Echo: ${message}`);
    expect(await roundOf(early)).toBe("one");

    write({ everything: { ...first, budget: { tokens: 500 } } });
    await until(async () => {
      expect(textOf(await call(early, "echo", { message })).length).toBeLessThan(message.length);
    });

    const running = call(early, "trigger-long-running-operation", { duration: 4, steps: 4 });
    write({ everything: { ...first, env: { ROUND: "two" } } });
    await until(async () => {
      const late = await connect();
      onTestFinished(() => late.close());
      expect(await roundOf(late)).toBe("two");
    });
    expect(textOf(await running)).toContain("Long running operation completed");
    // The old server has nothing left to do, so it ends, and its sessions with it.
    await until(async () => expect(call(early, "echo", { message: "gone" })).rejects.toThrow(/session/i));

    // What could not have been started is not taken from an edit either, and nothing changes.
    problems.splice(0);
    write({ everything: { ...first, auth: "passthrough" } });
    await until(async () => expect(problems).toContain("config-problem"));
    const last = await connect();
    onTestFinished(() => last.close());
    expect(await roundOf(last)).toBe("two");

    write({ other: first });
    await until(async () => {
      const { status } = await fetch(urls["everything"] ?? "", { method: "POST" });
      expect(status).toBe(404);
    });
  });
});
