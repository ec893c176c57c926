import { createHash } from "node:crypto";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { eachRow } from "../../src/engine/retrieve/each-row.fixture.ts";
import { wrapData } from "../../src/core/contract/envelope.ts";
import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { counter } from "../../src/core/pipeline/fit/fit-bench.fixture.ts";
import { covers, missingFrom } from "../arbitrary/part-of.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { envelopeOf } from "./attach-expectations.fixture.ts";
import { BUDGET_TOKENS } from "./cut-server.fixture.ts";
import { type CutTool, cutTools } from "./cut-tools.fixture.ts";

interface CutMeta {
  readonly warning_details?: readonly {
    readonly context?: { readonly retrieve?: { readonly arguments: { readonly archive: string } } };
  }[];
  readonly content_fidelity: string;
  readonly dropped_content_ids: readonly string[];
  readonly content_archive_hashes: Readonly<Record<string, string>>;
}

export interface SeenCut {
  readonly tool: CutTool;
  readonly whole: JsonValue;
  readonly level: string;
  readonly dropped: readonly string[];
  /** 64 hex digits. */
  readonly hash: string;
  /** How its warning says to ask for it: by a handle, or by the full hash where a handle opens nothing. */
  readonly named: string;
}

/** Where the budget has no room for the warning's context, the hash is still there. */
function namedIn({ warning_details: warnings = [] }: CutMeta, hash: string): string {
  for (const { context } of warnings) {
    const archive = context?.retrieve?.arguments.archive;
    if (archive !== undefined) return archive;
  }
  return hash;
}

const options = { strict: false, validateSchema: false, logger: false } as const;
const formats = addFormats as unknown as (ajv: Ajv | Ajv2020) => void;
const judges = [new Ajv(options), new Ajv2020(options)];
for (const judge of judges) formats(judge);

/** The clients check too, but not all of them hold formats against a text. */
function expectToConform(schema: JsonObject | undefined, value: JsonValue): void {
  for (const ajv of judges) {
    const check = ajv.compile(schema ?? {});
    check(value);
    expect(check.errors ?? []).toEqual([]);
  }
}

/** Lists the tools, calls each, and holds every cut against what was listed and against the whole. */
export async function readCuts(client: AnyClient): Promise<readonly SeenCut[]> {
  const listed = await client.listTools();
  expect(listed.map(({ name }) => name)).toEqual([...cutTools.map(({ name }) => name), "waybill_retrieve"]);
  const seen: SeenCut[] = [];
  for (const tool of cutTools) {
    const result = await client.call(tool.name);
    const { data = null, meta, success } = envelopeOf(result);
    expectToConform(listed.find(({ name }) => name === tool.name)?.outputSchema, {
      ...(result["structuredContent"] as JsonObject),
    });
    seen.push(readCut(tool, data, meta as unknown as CutMeta, result));
    expect(success).toBe(true);
  }
  return seen;
}

function readCut(tool: CutTool, data: JsonValue, meta: CutMeta, result: JsonObject): SeenCut {
  const whole = wrapData(tool.data);
  const { content_fidelity: level, dropped_content_ids: dropped } = meta;
  const [hash = "", ...more] = Object.values(meta.content_archive_hashes);
  expect(more).toEqual([]);
  expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(counter.count(JSON.stringify(result["structuredContent"]))).toBeLessThanOrEqual(BUDGET_TOKENS);
  const isStub = isJsonObject(data) && isJsonObject(data["omitted"]);
  expect({ tool: tool.name, level }).toEqual({ tool: tool.name, level: isStub ? "summary" : "partial" });
  const missing = isStub ? [] : (missingFrom(data, whole) ?? [undefined]);
  const unnamed = missing.filter((one) => one === undefined || !dropped.some((name) => covers(name, one)));
  expect(unnamed).toEqual([]);
  const digits = hash.slice("sha256:".length);
  return { tool, whole, level, dropped, hash: digits, named: namedIn(meta, digits) };
}

interface Retrieved {
  readonly items: readonly { readonly pointer: string; readonly value?: JsonValue; readonly text?: string }[];
  readonly verified: boolean;
}

function valueAt(whole: JsonValue, pointer: string): JsonValue {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<JsonValue>(
    (value, step) => (value as Readonly<Record<string, JsonValue>>)[step] ?? null,
    whole,
  );
}

/** The first thing that a cut names comes back by its name, from the archive that the cut names. */
export async function expectRetrievable(client: AnyClient, cut: SeenCut): Promise<void> {
  const [id = ""] = cut.dropped;
  const args = { archive: cut.named, ids: [id], limit: 2 };
  const envelope = envelopeOf(await client.call("waybill_retrieve", args));
  const { items, verified } = envelope["data"] as unknown as Retrieved;
  expect(verified).toBe(true);
  expect(items.length).toBeGreaterThan(0);
  const strange = eachRow(items).filter((item) => !isPartOf(item, cut.whole));
  expect(strange).toEqual([]);
}

/** An item as it is, a piece of its JSON text, or a piece of a text that was cut. */
function isPartOf({ pointer, value, text }: Retrieved["items"][number], whole: JsonValue): boolean {
  const [place = "", range] = pointer.split("#char=");
  const own = valueAt(whole, place);
  const [from, to] = (range ?? "").split("-").map(Number);
  // All texts here have one code unit a character.
  const named = range === undefined || typeof own !== "string" ? own : own.slice(from, to);
  return value === undefined
    ? text !== undefined && JSON.stringify(named).includes(text)
    : jsonEqual(value, named);
}

/** The whole by one read, and by ranges, each checked against the announced hash. */
export async function expectReadable(client: AnyClient, cut: SeenCut, isModern: boolean): Promise<void> {
  expect(await client.listResources()).toEqual([]);
  const templates = await client.listTemplates();
  expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    "waybill://archive/{hash}",
    "waybill://archive/{hash}/{start}/{end}",
  ]);
  const read = await client.readResource(`waybill://archive/${cut.hash}`);
  const fresh = { ttlMs: read["ttlMs"], cacheScope: read["cacheScope"] };
  expect(fresh).toEqual(
    isModern ? { ttlMs: 3_600_000, cacheScope: "private" } : { ttlMs: undefined, cacheScope: undefined },
  );
  const text = textOf(read);
  // A list that came as a text is archived as that text, not under the key that it is sent under.
  expect([cut.whole, cut.tool.data].map((value) => JSON.stringify(value))).toContain(text);
  expect(createHash("sha256").update(text).digest("hex")).toBe(cut.hash);
  const half = Math.floor(Buffer.byteLength(text) / 2);
  const ends = [0, half, Buffer.byteLength(text)];
  const pieces: string[] = [];
  for (const [at, start] of ends.slice(0, -1).entries()) {
    pieces.push(textOf(await client.readResource(`waybill://archive/${cut.hash}/${start}/${ends[at + 1]}`)));
  }
  expect(pieces.join("")).toBe(text);
}

function textOf({ contents }: JsonObject): string {
  const [first] = contents as unknown as readonly { readonly text?: string }[];
  return first?.text ?? "";
}
