import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { dialectIds } from "../../src/core/contract/dialect-id.ts";
import { faults } from "../../src/core/contract/faults.ts";
import { profileNames } from "../../src/core/contract/choices.ts";
import type { JsonValue } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { noise } from "../../src/core/text/planted-secrets.fixture.ts";
import { runTool } from "../../src/doors/testing/run-tool.ts";
import { ERRORS, plantedErrors } from "./planted-errors.fixture.ts";
import { openTapped } from "./tapped-server.fixture.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";

const fail = defineTool(
  "fail",
  { description: "Fails as told", inputSchema: z.object({ index: z.number() }) },
  ({ index }) => {
    throw plantedErrors[index]?.make();
  },
);

function recordingLogger() {
  const lines: string[] = [];
  const note = (fields: object, message: string): void => {
    lines.push(JSON.stringify({ ...fields, message }));
  };
  return { lines, logger: { debug: note, info: note, warn: note, error: note } };
}

async function failAll(options: ContractOptions, era: "legacy" | "modern" = "legacy") {
  const { lines, logger } = recordingLogger();
  let call = 0;
  const contract = createContract({
    ...options,
    logger,
    validate: "always",
    requestIds: () => `req_${String(call++).padStart(3, "0")}`,
  });
  const server = await openTapped(contract, [fail], era);
  for (let index = 0; index < ERRORS; index++) {
    expect((await server.call("fail", { index }))["isError"]).toBe(true);
  }
  await server.close();
  return { sent: server.sent.join("\n"), lines };
}

/** A marker as it is, and inside JSON text one and two levels deep. */
function formsOf(marker: string): string[] {
  const escaped = JSON.stringify(marker).slice(1, -1);
  return [marker, escaped, JSON.stringify(escaped).slice(1, -1)];
}

function leaksIn(text: string): string[] {
  return plantedErrors.flatMap(({ kind, markers }) =>
    Object.entries(markers).flatMap(([name, marker]) =>
      formsOf(marker).some((form) => text.includes(form)) ? [`${kind}: ${name}`] : [],
    ),
  );
}

const cases = dialectIds.flatMap((dialect) => profileNames.map((profile) => ({ dialect, profile })));

describe(`${ERRORS} errors with planted markers`, () => {
  it("differ in every marker", () => {
    const all = plantedErrors.flatMap(({ markers }) => Object.values(markers));
    expect(new Set(all).size).toBe(ERRORS * 4);
  });

  it.each(someOf(cases, 2))(
    "send none of them in $dialect, $profile, and log each error",
    async (options) => {
      const { sent, lines } = await failAll(options);
      expect(leaksIn(sent)).toEqual([]);
      const log = lines.join("\n");
      expect(plantedErrors.filter(({ markers }) => log.includes(markers.secret))).toEqual([]);
      const missing = plantedErrors.flatMap(({ kind, markers }, index) => {
        if (kind === "message of a fault") return [];
        const line = lines.find((each) => each.includes(`"req_${String(index).padStart(3, "0")}"`));
        return line?.includes(markers.path) && line.includes("[REDACTED:") ? [] : [`${index} ${kind}`];
      });
      expect(missing).toEqual([]);
    },
  );

  it.each(["brief", "text"] as const)("send none of them in delivery %s", async (delivery) => {
    expect(leaksIn((await failAll({ delivery })).sent)).toEqual([]);
  });

  it("send none of them in the modern era", async () => {
    expect(leaksIn((await failAll({ profile: "debug" }, "modern")).sent)).toEqual([]);
  });

  it("lose their secrets through attachContract, where the SDK makes their text public", async () => {
    const mcp = new McpServer({ name: "bare", version: "1.0.0" });
    mcp.registerTool("fail", { inputSchema: z.object({ index: z.number() }) }, ({ index }) => {
      throw plantedErrors[index]?.make();
    });
    attachContract(mcp, { logLevel: "silent", dialect: "response-v2" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const sent: string[] = [];
    const send = far.send.bind(far);
    far.send = (message, options) => {
      sent.push(JSON.stringify(message));
      return send(message, options);
    };
    const client = new Client({ name: "c", version: "1.0.0" });
    await Promise.all([mcp.connect(far), client.connect(near)]);
    for (let index = 0; index < ERRORS; index++) {
      await client.callTool({ name: "fail", arguments: { index } });
    }
    const text = sent.join("\n");
    expect(plantedErrors.filter(({ markers }) => text.includes(markers.secret))).toEqual([]);
    // The rest is public already; that it is found here shows that the search above finds what there is.
    expect(new Set(leaksIn(text))).toContain("Error: path");
    expect(new Set(leaksIn(text))).toContain("string: stackLine");
  });
});

/** What comes back when a value travels as the details of a failure. */
async function throughDetails(value: JsonValue): Promise<{ details: unknown; text: string }> {
  const tool = defineTool("refuse", { description: "Refuses" }, () => {
    throw faults.conflict("Refused", { details: { value } });
  });
  const { result, outcome } = await runTool(
    tool,
    {},
    { contract: { profile: "debug", budget: { tokens: "off" } } },
  );
  const details = outcome.ok ? undefined : outcome.fault.details;
  return { details, text: JSON.stringify(result) };
}

const payloads = new URL("../../../shared/data/payloads/", import.meta.url);
const hasPayloads = existsSync(payloads);
if (!hasPayloads) process.stderr.write("leak.test: no ../shared/data/payloads; its files are not checked\n");

describe("redaction", () => {
  it("has the payload files where they are required", () => {
    expect(hasPayloads || process.env["WAYBILL_REQUIRE_DATA"] !== "1").toBe(true);
  });

  it.each(hasPayloads ? readdirSync(payloads) : [])("leaves %s as it is", async (file) => {
    const value = JSON.parse(readFileSync(new URL(file, payloads), "utf8")) as JsonValue;
    const { details, text } = await throughDetails(value);
    expect(details).toEqual({ value });
    expect(text).not.toContain("[REDACTED:");
    expect(text).not.toContain('"redactions"');
  });

  it.runIf(isFullRun)("leaves 10,000 ids, dates and phone-like numbers as they are", async () => {
    const value = Array.from({ length: 10_000 }, (_, index) => harmless(index));
    const { details, text } = await throughDetails(value);
    expect(details).toEqual({ value });
    expect(text).not.toContain("[REDACTED:");
  });

  it("masks what does look like a secret among them, and counts it", async () => {
    const { details, text } = await throughDetails([harmless(1), `ghp_${noise(36)}`]);
    expect(details).toEqual({ value: [harmless(1), "[REDACTED:GITHUB_TOKEN]"] });
    expect(text).toContain('"redactions":1');
  });
});

const hex = "0123456789abcdef";
const digits = "0123456789";
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const makers: readonly ((seed: number) => JsonValue)[] = [
  (seed) => [8, 4, 4, 4, 12].map((length) => noise(length, hex, seed + length)).join("-"),
  (seed) => `01${noise(24, crockford, seed)}`,
  (seed) => noise(40, hex, seed),
  (seed) => `sha256:${noise(64, hex, seed)}`,
  (seed) => noise(21, undefined, seed),
  (seed) => `req_${noise(12, hex, seed)}`,
  (seed) => `cus_${noise(14, undefined, seed)}`,
  (seed) => `ORD-2026-${String(seed).padStart(6, "0")}`,
  (seed) => new Date(1_600_000_000_000 + seed * 86_399_937).toISOString(),
  (seed) => new Date(1_600_000_000_000 + seed * 86_399_937).toUTCString(),
  (seed) => 1_600_000_000_000 + seed,
  (seed) => `+1 (${noise(3, digits, seed)}) ${noise(3, digits, seed + 1)}-${noise(4, digits, seed + 2)}`,
  (seed) => `+49 30 ${noise(8, digits, seed)}`,
  (seed) => `0${noise(4, digits, seed)}/${noise(6, digits, seed)}`,
  (seed) => noise(16, digits, seed),
  (seed) => ({ id: noise(24, hex, seed), key: `PROJ-${seed}`, etag: `W/"${noise(32, hex, seed)}"` }),
];

function harmless(index: number): JsonValue {
  return makers[index % makers.length]?.(index) ?? null;
}
