import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { dialectIds } from "../../src/core/contract/dialect-id.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { createRedactor } from "../../src/core/text/redact/redact-secrets.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";
import { SECRETS, failureChannels, plantedSecrets, successChannels } from "./planted-channels.fixture.ts";
import { openTapped } from "./tapped-server.fixture.ts";

type Channels = typeof failureChannels;

function toolOf(channels: Channels) {
  return defineTool(
    "speak",
    { description: "Says a secret", inputSchema: z.object({ index: z.number(), channel: z.string() }) },
    ({ index, channel }, ctx) => channels[channel]?.run(ctx, plantedSecrets[index]?.written ?? "") as never,
  );
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** What is on the wire, as it is and unescaped: a secret may be inside JSON inside JSON. */
function formsOf(sent: string): string {
  const once = sent.replaceAll('\\"', '"').replaceAll("\\\\", "\\");
  return `${sent}\n${once}\n${once.replaceAll('\\"', '"')}`;
}

/** Sends every secret through every channel; the secrets that were sent, and the channels' words that were not. */
async function sendAll(channels: Channels, options: ContractOptions, count: number) {
  const server = await openTapped(
    createContract({ budget: { tokens: "off" }, ...options, logger: quiet, validate: "always" }),
    [toolOf(channels)],
  );
  const leaked: string[] = [];
  const silent = new Set<string>();
  for (const [channel, { words }] of Object.entries(channels)) {
    for (let index = 0; index < count; index++) {
      const before = server.sent.length;
      await server.call("speak", { index, channel });
      const text = formsOf(server.sent.slice(before).join("\n"));
      if (text.includes(plantedSecrets[index]?.secret ?? "")) leaked.push(`${channel} ${index}`);
      for (const word of words) if (!text.includes(word)) silent.add(`${channel}: ${word}`);
    }
  }
  await server.close();
  return { leaked, silent: [...silent] };
}

const few = isFullRun ? SECRETS : 3;

describe(`${SECRETS} secrets`, () => {
  it("differ from one another, and each is known", () => {
    const redactor = createRedactor();
    expect(new Set(plantedSecrets.map(({ secret }) => secret)).size).toBe(SECRETS);
    const missed = plantedSecrets.filter(({ secret, written }) =>
      redactor.text(written).text.includes(secret),
    );
    expect(missed).toEqual([]);
  });

  it("leave in no channel of a failure", async () => {
    expect(await sendAll(failureChannels, { profile: "debug" }, SECRETS)).toEqual({ leaked: [], silent: [] });
  });

  it("leave in no channel of a success with redact.successes", async () => {
    const redact = { successes: true };
    expect(await sendAll(successChannels, { profile: "debug", redact }, SECRETS)).toEqual({
      leaked: [],
      silent: [],
    });
  });

  it.each(
    someOf(
      dialectIds.filter((dialect) => dialect !== "response-v2"),
      2,
    ),
  )("leave in no channel in %s", async (dialect) => {
    const profile = "debug";
    expect((await sendAll(failureChannels, { dialect, profile }, few)).leaked).toEqual([]);
    const redact = { successes: true };
    expect((await sendAll(successChannels, { dialect, profile, redact }, few)).leaked).toEqual([]);
  });

  it.each(["brief", "text"] as const)("leave in no channel in delivery %s", async (delivery) => {
    expect((await sendAll(failureChannels, { delivery }, few)).leaked).toEqual([]);
    const redact = { successes: true };
    expect((await sendAll(successChannels, { delivery, redact }, few)).leaked).toEqual([]);
  });

  it("leave with a success where no setting says otherwise, so that the search above finds what there is", async () => {
    const { leaked } = await sendAll(successChannels, {}, 10);
    expect(leaked).toHaveLength(10 * Object.keys(successChannels).length);
  });

  it("are masked before they are cut and archived", async () => {
    const secrets = plantedSecrets.filter(({ written }) => !written.includes("\n"));
    const rows = secrets.map(({ written }, id) => ({
      id,
      text: `row-${id} ${written} ${"word ".repeat(40)}`,
    }));
    const tool = defineTool("list", { description: "Lists" }, async (_args, ctx) => {
      await ctx.archive("log", rows.map(({ text }) => text).join("\n"), "text/plain");
      return { rows };
    });
    const options = { redact: { successes: true }, budget: { tokens: 1_000 }, logger: quiet };
    const server = await openTapped(createContract(options), [tool]);
    const cut = await server.call("list");
    const { meta } = cut["structuredContent"] as { meta: JsonObject };
    const archives = Object.values(meta["content_archive_hashes"] as Readonly<Record<string, string>>);
    expect(archives).toHaveLength(2);
    const fetched: string[] = [];
    for (const archive of archives) {
      const uri = `waybill://archive/${archive.replace("sha256:", "")}`;
      fetched.push(JSON.stringify(await server.client.readResource({ uri })));
    }
    expect(fetched.join("\n")).toContain("row-199");
    const text = formsOf(server.sent.join("\n"));
    expect(secrets.filter(({ secret }) => text.includes(secret))).toEqual([]);
    await server.close();
  });

  it("leave in no channel of a failure behind attachContract", async () => {
    const mcp = new McpServer({ name: "bare", version: "1.0.0" });
    mcp.registerTool("fail", { inputSchema: z.object({ index: z.number() }) }, ({ index }) => {
      const written = plantedSecrets[index]?.written ?? "";
      const result = failureChannels["a returned result"]?.run(
        { warn() {}, telemetry() {}, upgradeHint() {} } as never,
        written,
      );
      if (index % 3 === 0) throw new Error(`thrown ${written}`);
      return { ...(result as object), ...(index % 3 === 1 ? { structuredContent: undefined } : {}) } as never;
    });
    attachContract(mcp, { logLevel: "silent", dialect: "response-v2", validate: "always" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const sent: string[] = [];
    const send = far.send.bind(far);
    far.send = (message, options) => {
      sent.push(JSON.stringify(message));
      return send(message, options);
    };
    const client = new Client({ name: "c", version: "1.0.0" });
    await Promise.all([mcp.connect(far), client.connect(near)]);
    for (let index = 0; index < SECRETS; index++)
      await client.callTool({ name: "fail", arguments: { index } });
    const text = formsOf(sent.join("\n"));
    expect(plantedSecrets.filter(({ secret }) => text.includes(secret))).toEqual([]);
    expect(text).toContain("embedded [REDACTED:");
    await client.close();
  });
});

describe("a masked success", () => {
  it("keeps the promise of its schema, and counts what was masked", async () => {
    const email = z
      .string()
      .regex(/^[a-z]{1,80}$/)
      .max(90);
    const tool = defineTool(
      "key",
      { description: "Gives a key", outputSchema: z.object({ token: email, at: z.iso.datetime() }) },
      () => ({ token: "q".repeat(60), at: "2026-01-01T00:00:00Z" }),
    );
    const contract = createContract({ redact: { successes: true }, validate: "always", logger: quiet });
    const facts: unknown[] = [];
    contract.onCall({ start: () => ({ end: (told) => void facts.push(told) }) });
    const server = await openTapped(contract, [tool]);
    await server.client.listTools();
    // The client checks the result against the schema it was shown.
    const { structuredContent } = await server.call("key");
    expect(structuredContent).toMatchObject({
      data: { token: "[REDACTED:TOKEN]", at: "2026-01-01T00:00:00Z" },
    });
    expect(facts).toMatchObject([{ ok: true, redactions: 1 }]);
    await server.close();
  });
});

describe("what a refusal shows in scalpel", () => {
  it("is never what the caller sent, in any field or profile", async () => {
    const inputSchema = z.object({ count: z.number(), mode: z.enum(["fast", "slow"]).optional() });
    const tool = defineTool("work", { description: "Works", inputSchema }, () => ({}));
    for (const profile of ["minimal", "standard", "debug"]) {
      const server = await openTapped(createContract({ dialect: "scalpel", profile, logger: quiet }), [tool]);
      const { structuredContent } = await server.call("work", { count: "let x = 1", mode: "x=>x" });
      const text = JSON.stringify(structuredContent);
      expect(text).toContain("a string of 9 characters");
      expect(text).not.toContain("let x");
      expect(text).not.toContain("x=>x");
      await server.close();
    }
  });
});

describe("what is never touched", () => {
  const jwt = `eyJ${"a".repeat(20)}.eyJ${"b".repeat(20)}.${"c".repeat(20)}`;
  const hash = `sha256:${"0f".repeat(32)}`;
  const reserved = { "io.modelcontextprotocol/x": jwt, requestState: jwt, traceparent: jwt };

  const answer = async (result: unknown, redact: ContractOptions["redact"] = true): Promise<JsonObject> => {
    const tool = defineTool("speak", { description: "Speaks" }, () => result as never);
    const server = await openTapped(createContract({ redact, logger: quiet }), [tool]);
    const given = await server.call("speak");
    await server.close();
    return given;
  };

  it("are bytes, and what belongs to the protocol", async () => {
    const image = { type: "image", data: btoa(`token=${jwt}`), mimeType: "image/png" };
    const file = { type: "resource", resource: { uri: "file:///a", blob: btoa(`x ${jwt}`) } };
    const text = { type: "text", text: "no" };
    const result = await answer({ isError: true, content: [text, image, file], _meta: reserved });
    expect(result["content"]).toEqual(expect.arrayContaining([image, file]));
    expect(result["_meta"]).toMatchObject(reserved);
  });

  it("are cursors and hashes, in notes and in data", async () => {
    const pagination = { has_more: true, cursor: jwt, page_size: 1 };
    const envelope = {
      success: true,
      data: { next_cursor: jwt, digest: hash },
      error: null,
      meta: { version: "response-v2", pagination, content_archive_hashes: { "all-0f0f0f0f0f0f": hash } },
    };
    const { structuredContent } = await answer(envelope, { successes: true });
    expect(structuredContent).toMatchObject(envelope);
  });

  it("are links without a secret; one with a secret is left out with a note, not bent", async () => {
    const good = { type: "resource_link", uri: "https://x.example/a?page=2", name: "a" };
    const bad = { type: "resource_link", uri: `https://x.example/a?token=${jwt}`, name: "b" };
    const result = await answer({ isError: true, content: [{ type: "text", text: "no" }, good, bad] });
    const links = (result["content"] as JsonObject[]).filter(({ type }) => type === "resource_link");
    expect(links).toEqual([good]);
    expect(JSON.stringify(result)).toContain("CONTENT_DROPPED");
    expect(JSON.stringify(result)).not.toContain(jwt);
  });
});

const data = new URL("../../../shared/data/", import.meta.url);
const hasData = existsSync(data);
if (!hasData) process.stderr.write("secrets-everywhere.test: no ../shared/data; its files are not checked\n");

function filesIn(folder: URL): URL[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(new URL(`${entry.name}/`, folder)) : [new URL(entry.name, folder)],
  );
}

describe("real data", () => {
  it("is there where it is required", () => {
    expect(hasData || process.env["WAYBILL_REQUIRE_DATA"] !== "1").toBe(true);
  });

  it.runIf(hasData)("holds no secret, so none is found in it", () => {
    const redactor = createRedactor();
    const hits = filesIn(data).flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const found = redactor.text(text).count;
      const inJson = file.pathname.endsWith(".json") ? redactor.json(JSON.parse(text) as unknown).count : 0;
      return found + inJson > 0 ? [file.pathname] : [];
    });
    expect(hits).toEqual([]);
  });
});
