// What a cut left out comes back by the names it gives: each is sent to waybill_retrieve as it is, with its archive.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { eachRow } from "../../src/engine/retrieve/each-row.fixture.ts";
import { type ContractClient, contractClient } from "../../src/doors/client/index.ts";
import { codePointSlice } from "../../src/engine/retrieve/select-pointer.ts";
import { type DialectId, dialectIds } from "../../src/core/contract/dialect-id.ts";
import { faults } from "../../src/core/contract/faults.ts";
import { wrapData } from "../../src/core/contract/envelope.ts";
import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { getByPointer } from "../../src/core/json/pointer.ts";
import { createContract } from "../../src/doors/server/index.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import { largeJson } from "../arbitrary/large-json.ts";
import { lawRuns } from "../arbitrary/law-runs.ts";
import { missingFrom } from "../arbitrary/part-of.ts";

const info = { name: "names", version: "1.0.0" };
const counter = await loadCounter("o200k_base");

interface Place {
  readonly client: Client;
  readonly tools: ContractClient;
  /** What the tool returns, or throws. */
  answer: () => unknown;
}

const places = new Map<string, Promise<Place>>();
const profiles = ["minimal", "standard", "debug"] as const;
const encodings = ["json", "table"] as const;

const setting = fc.record({
  dialect: fc.constantFrom(...dialectIds),
  profile: fc.constantFrom(...profiles),
  encoding: fc.constantFrom(...encodings),
  tokens: fc.integer({ min: 256, max: 3_000 }),
});
type Setting = typeof setting extends fc.Arbitrary<infer Drawn> ? Drawn : never;

async function open({ dialect, profile, encoding }: Setting): Promise<Place> {
  const contract = createContract({
    dialect,
    profile,
    encoding,
    allow: { budgetOff: true, maxBudgetTokens: 1_000_000 },
    fit: { maxBlobBytes: 2_000 },
    logLevel: "silent",
  });
  const server = contract.server(new McpServer(info));
  const client = new Client(info);
  const place: Place = { client, tools: contractClient(client), answer: () => ({}) };
  server.registerTool("give", { description: "Gives what it is told" }, () => place.answer() as never);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return place;
}

function placeFor(drawn: Setting): Promise<Place> {
  const key = [drawn.dialect, drawn.profile, drawn.encoding].join();
  const place = places.get(key) ?? open(drawn);
  places.set(key, place);
  return place;
}

afterAll(async () => {
  for (const place of places.values()) await (await place).client.close();
});

interface Item {
  readonly pointer: string;
  readonly value?: JsonValue;
}

interface Page {
  readonly items: readonly Item[];
  readonly missing?: readonly string[];
  readonly base64?: string;
  readonly matched?: number;
}

/** Everything a request finds, on as many pages as it takes. */
async function retrieveAll({ tools }: Place, args: JsonObject): Promise<Page> {
  const items: Item[] = [];
  let first: Page | undefined;
  for (let cursor: string | undefined; ;) {
    const asked = cursor === undefined ? args : { ...args, cursor };
    const { data, pagination } = await tools.call("waybill_retrieve", asked, { budget: "off" });
    const page = data as unknown as Page;
    first ??= page;
    items.push(...eachRow(page.items ?? []));
    if (typeof pagination?.cursor !== "string") return { ...first, items };
    cursor = pagination.cursor;
  }
}

const CHARACTERS = /^(.*)#char=(\d+)-(\d+)$/s;

/** Whether an item is what the whole has where its pointer says. */
function isTrue({ pointer, value = null }: Item, whole: JsonValue): boolean {
  const plain = pointer.startsWith("#") ? undefined : getByPointer(whole, pointer);
  if (plain !== undefined) return jsonEqual(plain, value);
  const [, base = "", from, to] = CHARACTERS.exec(pointer) ?? [];
  const text = getByPointer(whole, base);
  return typeof text === "string" && codePointSlice(text, Number(from), Number(to)) === value;
}

/** Whether an item brings back what is missing at a place. */
function brings(item: Item, missing: string): boolean {
  const base = CHARACTERS.exec(item.pointer)?.[1] ?? item.pointer;
  return missing === item.pointer || missing === base || missing.startsWith(`${item.pointer}/`);
}

const wraps: readonly DialectId[] = ["response-v2", "response-v2-draft"];

interface CutAnswer {
  readonly level: string;
  readonly dropped: readonly string[];
  readonly archives: readonly (readonly [key: string, hash: string])[];
}

const isBlock = (name: string): boolean => name.startsWith("#content/");

/** Sends every name that is a place in the data, or an id there, back alone; gives what came. */
async function dataBack(place: Place, { dropped, archives }: CutAnswer): Promise<readonly Item[]> {
  const names = dropped.filter((name) => !isBlock(name));
  const [[, archive] = ["", ""]] = archives;
  const items: Item[] = [];
  for (const name of names) {
    const page = await retrieveAll(place, { archive, ids: [name] });
    expect({ name, missing: page.missing, found: page.items.length > 0 }).toEqual({ name, found: true });
    items.push(...page.items);
  }
  return items;
}

function bodyOf(block: JsonObject): JsonValue {
  const { resource, data, text } = block as { resource?: JsonObject; data?: string; text?: string };
  return resource?.["text"] ?? resource?.["blob"] ?? data ?? text ?? block;
}

/** Whether an answer holds a block: as it was, or what it carried. */
function holds({ items, base64 }: Page, block: JsonObject): boolean {
  const body = bodyOf(block);
  if (base64 !== undefined) {
    const isBase64 = typeof body === "string" && block["type"] !== "resource_link";
    return base64 === (isBase64 ? body : Buffer.from(JSON.stringify(block)).toString("base64"));
  }
  return items.some(({ value = null }) => {
    const kept = isJsonObject(value) ? value["block"] : undefined;
    return (
      jsonEqual(kept ?? null, block) || jsonEqual(value, body) || value === body || isParsed(value, body)
    );
  });
}

function isParsed(value: JsonValue, body: JsonValue): boolean {
  return typeof body === "string" && JSON.stringify(value) === body;
}

/** The archives a block may be in: its own, or the one for all that have none. */
function archivesOf(name: string, { archives }: CutAnswer): readonly string[] {
  const index = name.slice("#content/".length);
  const own = archives.filter(([key]) => new RegExp(`^[a-z_]+-${index}-[0-9a-f]{12}$`).test(key));
  const together = archives.filter(([key]) => key.startsWith("content-"));
  const blocks = archives.filter(([key]) => /^(?:content|[a-z_]+-\d+)-[0-9a-f]{12}$/.test(key));
  return (name.endsWith("*") ? blocks : own.length > 0 ? own : together).map(([, hash]) => hash);
}

/** A place in what the tool returned, which is below a key where it is no object. */
function ownPlace(pointer: string, value: JsonValue): string {
  return isJsonObject(value) ? pointer : pointer.replace(/^\/result/, "");
}

describe("every name of what was left out of a result", () => {
  // shows 001.33
  it("brings it back, in every dialect, profile and encoding", async () => {
    await fc.assert(
      fc.asyncProperty(largeJson, setting, async (value, drawn) => {
        const place = await placeFor(drawn);
        place.answer = () => value;
        const answer = await place.tools.call("give", {}, { budget: drawn.tokens });
        const whole = wraps.includes(drawn.dialect) ? wrapData(value ?? {}) : (value ?? {});
        const { fidelity: level, dropped } = answer;
        const items = await dataBack(place, { level, dropped, archives: Object.entries(answer.archives) });
        // The archive has the tool's own value; only names that speak of its key on the wire lead below that.
        const forms = [whole, value ?? {}];
        expect(items.filter((item) => !forms.some((form) => isTrue(item, form)))).toEqual([]);
        if (level !== "partial" || drawn.encoding === "table") return;
        const data = wraps.includes(drawn.dialect) ? wrapData(answer.data) : answer.data;
        for (const { pointer } of missingFrom(data, whole) ?? [])
          expect(
            items.some((item) => brings(item, pointer) || brings(item, ownPlace(pointer, value))),
            `${pointer} by ${dropped.join()}`,
          ).toBe(true);
      }),
      lawRuns(1_000, 25),
    );
  });

  it("brings back what a failure left out", async () => {
    await fc.assert(
      fc.asyncProperty(
        largeJson,
        fc.string({ minLength: 1, maxLength: 4_000 }),
        setting,
        async (value, said, drawn) => {
          const place = await placeFor(drawn);
          place.answer = () => {
            throw faults.conflict(`No: ${said}`, {
              details: { value },
              data: { records: value, retry_after_seconds: 3 },
            });
          };
          const tried = await place.tools.tryCall("give", {}, { budget: drawn.tokens });
          if (tried.ok) throw new Error("a failure became a success");
          const { level = "full", dropped = [], archives = {} } = tried.error.notes.fidelity ?? {};
          const items = await dataBack(place, { level, dropped, archives: Object.entries(archives) });
          const whole: JsonObject = { error: `No: ${said}`, details: { value }, records: value };
          const others = items.filter(({ pointer }) => !pointer.startsWith("/remediation"));
          expect(others.filter((item) => !isTrue(item, whole))).toEqual([]);
        },
      ),
      lawRuns(1_000, 25),
    );
  });

  const word = fc.constantFrom("alpha", "beta", "Straße", "中文", "😀", "1234");
  const text = fc.array(word, { minLength: 1, maxLength: 600, size: "max" }).map((words) => words.join(" "));
  const uri = fc.nat({ max: 99 }).map((number) => `file:///folder/${number}.txt`);
  const mimeType = fc.constantFrom("text/plain", "application/json", "text/html");
  const block: fc.Arbitrary<JsonObject> = fc.oneof(
    fc.record(
      {
        type: fc.constant("resource"),
        resource: fc.record({ uri, text, mimeType }, { noNullPrototype: true }),
      },
      { noNullPrototype: true },
    ),
    fc.record(
      {
        type: fc.constant("resource"),
        resource: fc.record(
          {
            uri,
            text: largeJson.map((value) => JSON.stringify(value)),
            mimeType: fc.constant("application/json"),
          },
          { noNullPrototype: true },
        ),
      },
      { noNullPrototype: true },
    ),
    fc.record({ type: fc.constant("resource_link"), uri, name: text }, { noNullPrototype: true }),
    fc.nat({ max: 4_000 }).map((length) => ({
      type: "image",
      mimeType: "image/png",
      data: Buffer.alloc(length, 7).toString("base64"),
    })),
  );

  it("brings back the content blocks that were moved", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { minLength: 1, maxLength: 30, size: "max" }),
        fc.nat({ max: 60 }),
        setting,
        async (content, length, drawn) => {
          const place = await placeFor(drawn);
          const records = Array.from({ length }, (_, at) => ({ id: `r-${at}`, text: "plain ".repeat(20) }));
          place.answer = () => ({ content, structuredContent: { records } });
          const {
            fidelity: level,
            dropped,
            archives,
          } = await place.tools.call("give", {}, { budget: drawn.tokens });
          const cut = { level, dropped, archives: Object.entries(archives) };
          await dataBack(place, cut);
          for (const name of dropped.filter(isBlock)) {
            const pages: Page[] = [];
            for (const archive of archivesOf(name, cut)) {
              const page = await retrieveAll(place, { archive, ids: [name] });
              expect({ name, missing: page.missing }).toEqual({ name });
              pages.push(page);
            }
            if (name.endsWith("*")) continue;
            const moved = content[Number(name.slice("#content/".length))] ?? {};
            expect(
              pages.some((page) => holds(page, moved)),
              `${name} in ${JSON.stringify(cut.archives)}`,
            ).toBe(true);
          }
        },
      ),
      lawRuns(1_000, 25),
    );
  });
});

describe("an id at a tool's own place for ids", () => {
  it("brings its item back", async () => {
    const contract = createContract({ budget: { tokens: 1_400 }, logLevel: "silent" });
    const server = contract.server(new McpServer(info));
    const records = Array.from({ length: 20 }, (_, at) => ({
      meta: { ref: `ref-${at}` },
      text: "plain words ".repeat(30),
    }));
    server.registerTool("give", { description: "Gives records", idPath: "meta.ref" }, () => ({ records }));
    const client = new Client(info);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    const tools = contractClient(client);
    const { dropped, archives } = await tools.call("give");
    expect(dropped.at(-1)).toBe("ref-19");
    const [archive = ""] = Object.values(archives);
    const { data } = await tools.call("waybill_retrieve", { archive, ids: ["ref-19"] });
    expect(data).toMatchObject({ items: [{ pointer: "/records/19", value: records[19] }] });
    await client.close();
  });
});

describe("an answer of waybill_retrieve", () => {
  it("stays within the budget in every dialect and profile, slices too", async () => {
    await fc.assert(
      fc.asyncProperty(largeJson, setting, async (value, drawn) => {
        const place = await placeFor(drawn);
        place.answer = () => value;
        const { archives } = await place.tools.call("give", {}, { budget: drawn.tokens });
        const [archive] = Object.values(archives);
        if (archive === undefined) return;
        let cursor: string | undefined;
        for (let pages = 0; pages < 4; pages++) {
          const result = await place.client.callTool({
            name: "waybill_retrieve",
            arguments: { archive, ...(cursor === undefined ? {} : { cursor }) },
            _meta: { "waybill/contract": { budget_tokens: drawn.tokens } },
          });
          const texts = (result.content as { text?: string }[]).map(({ text: said = "" }) =>
            counter.count(said),
          );
          expect(texts.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(drawn.tokens);
          cursor = /"cursor":"([^"]+)"/.exec(JSON.stringify(result.content).replaceAll("\\", ""))?.[1];
          if (cursor === undefined) return;
        }
      }),
      { ...lawRuns(1_000, 25), endOnFailure: true },
    );
  });
});
