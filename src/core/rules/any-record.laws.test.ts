import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { goodTool, greeting, plainTools } from "./record.fixture.ts";
import {
  type CallRecord,
  type ToolListing,
  type RecordedMessage,
  type RecordedReply,
  type ServerProblem,
  type ServerRecord,
  callPurposes,
  exchangePurposes,
  httpPurposes,
} from "./server-record.ts";
import type { RuleVerdict } from "./server-rule.ts";
import { serverRules } from "./server-rules.ts";

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

/** Words of schemas, messages and definitions, so that rules get beyond their first look. */
const words = fc.constantFrom(
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
  "_meta",
  "icons",
  "execution",
  "type",
  "properties",
  "required",
  "items",
  "$ref",
  "$defs",
  "anyOf",
  "pattern",
  "enum",
  "minimum",
  "maximum",
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
  "code",
  "message",
  "tools",
  "nextCursor",
  "content",
  "structuredContent",
  "isError",
  "resultType",
  "capabilities",
  "protocolVersion",
  "__proto__",
  "x-mcp-header",
);
const leaf = fc.oneof(
  json,
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "object",
    "array",
    "string",
    "#",
    "#/properties/name",
    "https://example.com/x",
    "2.0",
    "tools/list",
    "(a+)+",
  ),
);
const { value: wordy } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    leaf,
    fc.dictionary(words, tie("value"), { maxKeys: 6 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));
const object = fc.dictionary(words, wordy, { maxKeys: 8 }) as fc.Arbitrary<JsonObject>;
const definition = fc.oneof(
  object,
  object.map((changes) => ({ ...goodTool, ...changes })),
  wordy.map((schema) => ({
    ...goodTool,
    inputSchema: { type: "object", properties: { a: schema } },
    outputSchema: schema,
  })),
);

const reply: fc.Arbitrary<RecordedReply> = fc.oneof(
  fc.oneof(object, fc.constant(greeting)).map((result) => ({ kind: "result" as const, result })),
  fc.array(definition, { maxLength: 3 }).map((tools) => ({ kind: "result" as const, result: { tools } })),
  object.map((error) => ({ kind: "error" as const, error })),
  fc.constant<RecordedReply>({ kind: "timeout", afterMs: 10 }),
  fc.constant<RecordedReply>({ kind: "closed", reason: "end" }),
  fc.constant<RecordedReply>({ kind: "oversized", bytes: 1e9 }),
);
const message: fc.Arbitrary<RecordedMessage> = fc.record({
  from: fc.constantFrom("client" as const, "server" as const),
  raw: fc.string(),
  value: fc.oneof(
    wordy,
    object.map((changes) => ({ jsonrpc: "2.0", id: 1, ...changes })),
    fc.constant(undefined),
  ),
  bytes: fc.nat(),
  atMs: fc.nat(),
});
const listing: fc.Arbitrary<ToolListing> = fc.record({
  pages: fc.array(fc.record({ cursor: fc.option(fc.string(), { nil: undefined }), reply }), { maxLength: 3 }),
  isCut: fc.boolean(),
});
const call: fc.Arbitrary<Omit<CallRecord, "index">> = fc.record({
  tool: fc.string(),
  purpose: fc.constantFrom(...callPurposes),
  arguments: object,
  follows: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
  reply,
  durationMs: fc.nat(),
  bytes: fc.nat(),
  tokens: fc.record({ text: fc.nat(), structured: fc.nat() }),
});
const problem: fc.Arbitrary<ServerProblem> = fc.record({
  kind: fc.constantFrom("start-failed", "start-timeout", "died", "stray-output", "redirected", "refused"),
  message: fc.string({ minLength: 1 }),
});
const anyRecord: fc.Arbitrary<ServerRecord> = fc.record({
  target: fc.string(),
  transport: fc.constantFrom("stdio" as const, "http" as const),
  era: fc.constantFrom("legacy" as const, "modern" as const),
  protocolVersion: fc.option(fc.string(), { nil: undefined }),
  greeting: reply,
  listings: fc.array(listing, { maxLength: 3 }),
  tools: fc.array(fc.record({ name: fc.string(), definition, tokens: fc.nat(), isReadOnly: fc.boolean() }), {
    maxLength: 4,
  }),
  calls: fc.array(call, { maxLength: 4 }).map((calls) => calls.map((one, index) => ({ ...one, index }))),
  problems: fc.array(problem, { maxLength: 2 }),
  messages: fc.array(message, { maxLength: 6 }),
  dialect: fc.constant(undefined),
  exchanges: fc.array(
    fc.record({
      purpose: fc.constantFrom(...exchangePurposes),
      request: wordy,
      reply,
      response: fc.option(wordy, { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
  http: fc.option(
    fc.array(
      fc.record({
        purpose: fc.constantFrom(...httpPurposes),
        status: fc.nat({ max: 999 }),
        contentType: fc.option(fc.string(), { nil: undefined }),
        hasBody: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    { nil: undefined },
  ),
  archiveReads: fc.option(
    fc.array(
      fc.record({
        follows: fc.nat({ max: 5 }),
        uri: fc.string(),
        hash: fc.string(),
        reply,
        isWhole: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
    { nil: undefined },
  ),
});

/** What is wrong with a verdict itself. */
function flawOf(verdict: RuleVerdict): string | undefined {
  if ("untested" in verdict)
    return verdict.untested === "" ? "It does not say why it is untested" : undefined;
  const flawed = verdict.find(({ path, message: said }) => typeof path !== "string" || said === "");
  return flawed === undefined ? undefined : `A finding has no place or no words: ${JSON.stringify(flawed)}`;
}

test("no rule throws, whatever a record holds, and every finding has a place and words", async () => {
  await fc.assert(
    fc.asyncProperty(anyRecord, async (record) => {
      for (const { id, judge } of serverRules) {
        const verdict = await judge(record, plainTools);
        expect({ id, flaw: flawOf(verdict) }).toEqual({ id, flaw: undefined });
      }
    }),
    lawRuns(1_000, 40),
  );
});

test("a record that is judged twice gets the same verdict, and stays as it was", async () => {
  await fc.assert(
    fc.asyncProperty(anyRecord, async (record) => {
      const before = JSON.stringify(record);
      const judgeAll = async (subject: ServerRecord): Promise<unknown[]> =>
        Promise.all(serverRules.map(async ({ judge }) => judge(subject, plainTools)));
      const first = await judgeAll(record);
      expect(await judgeAll(structuredClone(record))).toEqual(first);
      expect(JSON.stringify(record)).toBe(before);
    }),
    lawRuns(1_000, 20),
  );
});
