import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { readElasticity } from "../../src/core/schema/payload.ts";
import { advertiseOutput } from "../../src/core/schema/envelope-schema.ts";
import type { DialectId } from "../../src/core/contract/dialect-id.ts";
import { decodeTables } from "../../src/core/json/table/decode-tables.ts";
import { encodeTables } from "../../src/core/json/table/encode-tables.ts";
import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { mainCollection } from "../../src/core/json/main-collection.ts";
import { getByPointer } from "../../src/core/json/pointer.ts";
import { validateResponse } from "../../src/core/pipeline/dialect/validate-response.ts";
import {
  type FitSetting,
  TestArchive,
  arrivalOf,
  contextWith,
  tokensOf,
} from "../../src/core/pipeline/fit/fit-bench.fixture.ts";
import { fit } from "../../src/core/pipeline/fit/fit.ts";
import { type Parcel, partOf } from "../../src/core/pipeline/parcel.ts";
import {
  type DataEncoding,
  type PipelineContext,
  tableFormOf,
} from "../../src/core/pipeline/pipeline-context.ts";
import { runStages } from "../../src/core/pipeline/pipeline.ts";
import { inferJsonSchema } from "../arbitrary/infer-schema.ts";
import { covers, missingFrom } from "../arbitrary/part-of.ts";
import { arePayloadsRequired, hasPayloads, payloads } from "./payloads.fixture.ts";
import { someOf } from "../arbitrary/law-runs.ts";

/** From the floor up, closer together where the envelope itself is what has to give way. */
const allBudgets = [
  256, 257, 280, 320, 400, 512, 768, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 12_000, 16_000, 20_000,
];
const budgets = someOf(allBudgets, 6);

interface Variant {
  readonly dialect: DialectId;
  readonly encoding: DataEncoding;
  readonly hasSchema: boolean;
}

const variants: readonly Variant[] = [
  { dialect: "response-v2", encoding: "json", hasSchema: true },
  { dialect: "response-v2", encoding: "dense-table", hasSchema: true },
  { dialect: "scalpel", encoding: "json", hasSchema: true },
  // Its results have no place for a Stub, so a tool with a schema is never cut in it.
  { dialect: "plain", encoding: "json", hasSchema: false },
];
const cases = payloads.flatMap((payload) => variants.map((variant) => ({ ...variant, payload })));
type Case = (typeof cases)[number];

interface Run {
  readonly tokens: number;
  readonly context: PipelineContext;
  readonly archive: TestArchive;
  readonly parcel: Parcel;
}

const schemas = new Map(payloads.map(({ name, value }) => [name, inferJsonSchema(value)]));

function schemaOf({ payload, hasSchema }: Case): JsonObject | undefined {
  return hasSchema ? schemas.get(payload.name) : undefined;
}

function contextOf(one: Case, setting: FitSetting): PipelineContext {
  const elasticity = readElasticity(schemaOf(one));
  const { dialect, encoding } = one;
  return {
    ...contextWith({ ...setting, dialect, fit: { elasticity: () => elasticity } }),
    encoding,
  };
}

async function send(one: Case, tokens: number, duration_ms = 12.5, requestId = "req_0123456789ab") {
  const archive = new TestArchive();
  const context = contextOf(one, { tokens, archive, requestId });
  const parcel = await runStages(arrivalOf(one.payload.value, { telemetry: { duration_ms } }), context);
  return { tokens, context, archive, parcel };
}

const known = new Map<Case, Promise<readonly Run[]>>();

/** Each payload goes once through each budget; every law looks at the same results. */
function runsOf(one: Case): Promise<readonly Run[]> {
  const runs = known.get(one) ?? Promise.all(budgets.map((tokens) => send(one, tokens)));
  known.set(one, runs);
  return runs;
}

/** What is archived: the tool's own value, in its encoding. */
function keptOf({ encoding, payload }: Case): JsonValue {
  const form = tableFormOf(encoding);
  return form === undefined ? payload.value : encodeTables(payload.value, form);
}

function wholeOf(one: Case): JsonValue {
  return contextWith({ dialect: one.dialect }).fit.wrap(keptOf(one));
}

/** What went out as data, in the form the reader sees. */
function sentOf({ parcel }: Run, { dialect }: Case): JsonValue {
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) throw new Error("a success became a failure");
  return contextWith({ dialect }).fit.wrap(outcome.data);
}

/** The same with its tables as lists: names of what is missing speak of those. */
function dataOf(run: Run, one: Case): JsonValue {
  const sent = sentOf(run, one);
  return tableFormOf(one.encoding) !== undefined ? decodeTables(sent) : sent;
}

function listsOf(one: Case): JsonValue {
  return tableFormOf(one.encoding) !== undefined ? one.payload.value : wholeOf(one);
}

function fidelityOf({ parcel }: Run) {
  return partOf(parcel, "outcome").notes.fidelity;
}

function isStub(data: JsonValue): boolean {
  return isJsonObject(data) && Object.keys(data).join() === "omitted";
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const text of whole) if (text === part[next]) next++;
  return next === part.length;
}

/** What tells records apart, whatever is cut inside them. */
function namesOf(data: JsonValue, pointer: string): string[] {
  const items = getByPointer(data, pointer);
  return (Array.isArray(items) ? (items as readonly JsonValue[]) : []).map((item) => {
    const scalars = Object.values(isJsonObject(item) ? item : { item });
    return JSON.stringify(
      scalars.filter((value) => typeof value === "number" || typeof value === "string").slice(0, 3),
    );
  });
}

describe("the payloads", () => {
  it("are there where they are required", () => {
    expect(hasPayloads || !arePayloadsRequired).toBe(true);
  });
});

describe.each(someOf(cases, 9))("$payload.name in $dialect, $encoding, from 256 to 20,000 tokens", (one) => {
  it("fits", async () => {
    for (const { tokens, parcel, context } of await runsOf(one)) {
      expect(tokensOf(parcel, context)).toBeLessThanOrEqual(tokens);
    }
  });

  it("is valid by the dialect's rules and by the advertised schema", async () => {
    const { dialect, encoding } = one;
    const advertised = advertiseOutput(schemaOf(one), {
      dialects: [dialect],
      tables: tableFormOf(encoding) !== undefined,
    });
    const conforms = new Ajv2020({ strict: false }).compile(one.hasSchema ? (advertised ?? false) : {});
    for (const { tokens, parcel } of await runsOf(one)) {
      const result = partOf(parcel, "result");
      const { violations } = validateResponse(result, { dialect, level: "result" });
      expect(violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
      conforms(result.structuredContent);
      expect(conforms.errors ?? [], `at ${tokens}`).toEqual([]);
    }
  });

  it("is honest: below full exactly when something is missing, and all that is missing is named", async () => {
    const whole = listsOf(one);
    for (const run of await runsOf(one)) {
      const data = dataOf(run, one);
      const { level = "full", dropped = [] } = fidelityOf(run) ?? {};
      expect(level === "full").toBe(jsonEqual(data, whole));
      expect(dropped.length > 0).toBe(level !== "full");
      expect(isStub(data)).toBe(level === "summary" || level === "reference_only");
      const missing = isStub(data)
        ? []
        : (missingFrom(data, whole) ?? [{ pointer: "no part of it", item: null, isText: false }]);
      const unnamed = missing.filter((lost) => !dropped.some((name) => covers(name, lost)));
      expect(
        unnamed.map(({ pointer }) => pointer),
        `at ${run.tokens}`,
      ).toEqual([]);
    }
  });

  it("is recoverable: the announced hash is that of the JSON text of what the tool returned", async () => {
    const text = JSON.stringify(keptOf(one));
    const hash = createHash("sha256").update(text).digest("hex");
    for (const run of await runsOf(one)) {
      const fidelity = fidelityOf(run);
      const announced = fidelity === undefined ? [] : [`sha256:${hash}`];
      expect(Object.values(fidelity?.archives ?? {})).toEqual(announced);
      const stored = Array.from(run.archive.contents.values(), (bytes) => bytes.toString());
      expect(stored).toEqual(fidelity === undefined ? [] : [text]);
    }
  });

  it("is idempotent: what was fitted passes untouched", async () => {
    for (const { parcel, context } of await runsOf(one)) {
      const fresh: Parcel = { arrival: parcel.arrival, outcome: partOf(parcel, "outcome"), trace: [] };
      const again = await fit(fresh, context);
      expect(again.outcome).toBe(fresh.outcome);
      expect(again.cut).toBeUndefined();
    }
  });

  it("is stable: another request at another pace gives the same bytes", async () => {
    for (const run of await runsOf(one)) {
      const other = await send(one, run.tokens, 98_765.4321, "req_ffffffffffff");
      expect(JSON.stringify(sentOf(other, one))).toBe(JSON.stringify(sentOf(run, one)));
      expect(fidelityOf(other)).toEqual(fidelityOf(run));
    }
  });

  it("is never larger than the whole, which passes untouched where it fits", async () => {
    const whole = await runStages(
      arrivalOf(one.payload.value, { telemetry: { duration_ms: 12.5 } }),
      contextOf(one, { tokens: "off" }),
    );
    for (const { tokens, parcel, context } of await runsOf(one)) {
      const cost = tokensOf(whole, context);
      expect(tokensOf(parcel, context)).toBeLessThanOrEqual(cost);
      // What changes from call to call is charged a constant, at most this.
      const isRoomy = cost + 400 <= tokens;
      expect(isRoomy ? parcel.outcome : whole.outcome).toEqual(whole.outcome);
    }
  });

  it("is ordered: kept records are in the order they came in", async () => {
    const whole = listsOf(one);
    const pointer = mainCollection(whole)?.pointer ?? "";
    for (const run of await runsOf(one)) {
      const kept = isStub(dataOf(run, one)) ? [] : namesOf(dataOf(run, one), pointer);
      expect(isSubsequence(kept, namesOf(whole, pointer))).toBe(true);
    }
  });
});

describe.each(
  someOf(
    cases.filter(({ encoding }) => tableFormOf(encoding) !== undefined),
    3,
  ),
)("$payload.name as a cut table", (one) => {
  it("decodes to whole records, the first ones in their order", async () => {
    const { value } = one.payload;
    for (const run of await runsOf(one)) {
      const data = dataOf(run, one);
      const first = Array.isArray(data) && Array.isArray(value) ? value.slice(0, data.length) : value;
      expect(isStub(data) || jsonEqual(data, first), `at ${run.tokens}`).toBe(true);
    }
  });
});
