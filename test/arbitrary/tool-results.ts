import * as fc from "fast-check";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { inferJsonSchema } from "./infer-schema.ts";

/** What a handler may legally return under its schema, one result for each call, and that schema. */
export interface SchemaAndResults {
  readonly outputSchema: JsonObject;
  readonly results: readonly JsonObject[];
}

const name = fc.constantFrom(
  "n",
  "items",
  "name",
  "note",
  // From here on, words that an envelope has a meaning for.
  "result",
  "data",
  "error",
  "success",
  "meta",
  "text",
  "omitted",
  "content",
);
const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("Found 3 issues", "", "中文 😀", "12", "{}"),
);
const record = fc.dictionary(name, leaf, { maxKeys: 4, noNullPrototype: true });
const longText = fc
  .integer({ min: 1, max: 120 })
  .map((count) => "The roof leaks in two places. ".repeat(count));
const value = fc.oneof(
  leaf,
  record,
  longText,
  fc.array(fc.oneof(leaf, record), { maxLength: 4 }),
  fc.array(record, { minLength: 20, maxLength: 60, size: "max" }),
);
const structure = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });

const annotations = fc.record(
  {
    audience: fc.subarray(["user", "assistant"] as const, { minLength: 1 }).map((list) => [...list]),
    priority: fc.constantFrom(0, 0.5, 1),
  },
  { requiredKeys: [], noNullPrototype: true },
);

function spoken(said: JsonObject): fc.Arbitrary<string> {
  const envelope = { success: true, data: { n: 1 }, error: null, meta: { version: "response-v2" } };
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom("Found 3 issues", "Done.", "中文 😀", "# Report\n\n- one\n- two"),
    },
    { weight: 2, arbitrary: longText },
    fc.constantFrom("", " \n", '"quoted"', "[1,2]", '{"n":1}', '{"data":1}', '{"error":"no"}'),
    fc.constant('{"meta":{"request_id":"of the tool"}}'),
    fc.constant(JSON.stringify(envelope)),
    fc.constant(JSON.stringify(said)),
    fc.constant(JSON.stringify(said, null, 2)),
  );
}

const other: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
  { type: "resource_link", uri: "file:///july.pdf", name: "july" },
  { type: "resource", resource: { uri: "file:///a.txt", text: "The whole file" } },
);

function contentOf(said: JsonObject): fc.Arbitrary<JsonObject[]> {
  const text = fc.tuple(spoken(said), fc.option(annotations, { nil: undefined })).map(([words, notes]) => ({
    type: "text",
    text: words,
    ...(notes === undefined ? {} : { annotations: notes }),
  }));
  return fc.array(fc.oneof({ weight: 3, arbitrary: text }, other), {
    maxLength: 4,
  });
}

/** The schema as strict as an author may write it. */
function closed(schema: JsonObject): JsonObject {
  return { ...schema, additionalProperties: false };
}

/** A result with this structure, any texts and blocks beside it; some are failures. */
function resultWith(said: JsonObject): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      content: contentOf(said),
      failure: fc.oneof(
        { weight: 6, arbitrary: fc.constant("none" as const) },
        fc.constantFrom("with structure" as const, "text alone" as const),
      ),
    })
    .map(({ content, failure }) => ({
      content,
      ...(failure === "text alone" ? {} : { structuredContent: said }),
      ...(failure === "none" ? {} : { isError: true }),
    }));
}

/** A schema and `count` results whose structures conform to it. */
export function schemaAndResults(count: number): fc.Arbitrary<SchemaAndResults> {
  return fc.array(structure, { minLength: count, maxLength: count, size: "max" }).chain((structures) =>
    fc
      .record({ results: fc.tuple(...structures.map(resultWith)), isClosed: fc.boolean() })
      .map(({ results, isClosed }) => {
        const { $schema: _, ...schema } = inferJsonSchema(...structures);
        return { outputSchema: isClosed ? closed(schema) : schema, results };
      }),
  );
}

/** The blocks of a result that say something its structure does not. */
export function authoredBlocks({ content, structuredContent }: JsonObject): readonly JsonObject[] {
  const said: JsonValue = structuredContent ?? null;
  const fields: readonly unknown[] = isJsonObject(said) ? Object.values(said) : [];
  return (content as readonly JsonObject[]).filter(({ type, text }) => {
    if (type !== "text" || typeof text !== "string") return true;
    const isMirror = text === JSON.stringify(said) || text === JSON.stringify(said, null, 2);
    const [only] = fields;
    if (fields.length === 1 && typeof only === "object" && text === JSON.stringify(only)) return false;
    return !isMirror && text.trim() !== "" && !fields.includes(text);
  });
}
