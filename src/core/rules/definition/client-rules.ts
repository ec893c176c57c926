import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { describeMessageValue } from "../../protocol/message-values.ts";
import {
  type DefinedTool,
  type DefinitionProblem,
  type DefinitionRule,
  defineDefinitionRules,
  each,
} from "./definition-rule.ts";
import { schemasOf } from "./read-schemas.ts";

const PROPERTY = /^[A-Za-z0-9_.-]{1,64}$/;
const combinations = ["oneOf", "anyOf", "allOf"] as const;

function judgeRootChoice({ inputSchema }: JsonObject): DefinitionProblem[] {
  if (!isJsonObject(inputSchema)) return [];
  const used = combinations.filter((key) => Array.isArray(inputSchema[key]));
  return used.map((key) => ({ path: `/inputSchema/${key}`, message: `\`${key}\` is at the root` }));
}

function judgePropertyNames({ inputSchema }: JsonObject): DefinitionProblem[] {
  const properties = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  if (!isJsonObject(properties)) return [];
  return Object.keys(properties)
    .filter((key) => !PROPERTY.test(key))
    .map((key) => ({
      path: appendPointer("/inputSchema/properties", key),
      message: `A field is named ${describeMessageValue(key)}`,
    }));
}

function judgeArrays(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ name, all }) =>
    name === "outputSchema"
      ? []
      : all
          .filter(({ schema }) => schema["type"] === "array" && !hasItems(schema))
          .map(({ path }) => ({ path, message: "A list does not say what its items are" })),
  );
}

function hasItems({ items, prefixItems, $ref }: JsonObject): boolean {
  return items !== undefined || prefixItems !== undefined || $ref !== undefined;
}

/** The formats of JSON Schema 2020-12, and those of OpenAPI that validators also know. */
const formats = new Set(
  (
    "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri " +
    "uri-reference uri-template iri iri-reference uuid json-pointer relative-json-pointer regex " +
    "int32 int64 float double byte binary password"
  ).split(" "),
);

function judgeFormats(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ all }) =>
    all.flatMap(({ path, schema: { format } }) =>
      // A format that is not a text breaks `definition/schema-keywords`.
      typeof format !== "string" || formats.has(format)
        ? []
        : [{ path: `${path}/format`, message: `The format is ${describeMessageValue(format)}` }],
    ),
  );
}

const HEADER = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** The specification names the first three; its own test suite uses numbers too. */
const headerTypes: readonly unknown[] = ["string", "integer", "boolean", "number"];
const REACHABLE = /^\/inputSchema(?:\/properties\/[^/]*)+$/;
const SECRET =
  /(?:^|[_-])(?:api_?key|access_?token|auth_?token|client_?secret|passw(?:or)?d|private_?key|secret)$/i;

interface Header {
  readonly path: string;
  readonly schema: JsonObject;
}

function headersOf(definition: JsonObject): readonly Header[] {
  return schemasOf(definition).flatMap(({ name, all }) =>
    name === "inputSchema" ? all.filter(({ schema }) => schema[HEADER] !== undefined) : [],
  );
}

function usesHeaders(tools: readonly DefinedTool[]): string | undefined {
  const isUsed = tools.some(({ definition }) => headersOf(definition).length > 0);
  return isUsed ? undefined : `No tool uses \`${HEADER}\``;
}

function headerProblem({ path, schema }: Header): string | undefined {
  const name = schema[HEADER];
  if (typeof name !== "string" || !TOKEN.test(name))
    return `The header is named ${describeMessageValue(name)}`;
  if (!headerTypes.includes(schema["type"])) return "A field with a header is no text, whole number or flag";
  if (!REACHABLE.test(path)) return "A field with a header is not reached by properties alone";
  return undefined;
}

function judgeHeaders(definition: JsonObject): DefinitionProblem[] {
  const seen = new Set<string>();
  return headersOf(definition).flatMap((header) => {
    const path = `${header.path}/${HEADER}`;
    const name = header.schema[HEADER];
    const folded = typeof name === "string" ? name.toLowerCase() : "";
    const problem =
      headerProblem(header) ??
      (seen.has(folded) ? `Two fields have the header ${describeMessageValue(name)}` : undefined);
    seen.add(folded);
    return problem === undefined ? [] : [{ path, message: problem }];
  });
}

function judgeSecretHeaders(definition: JsonObject): DefinitionProblem[] {
  return headersOf(definition)
    .filter(({ path }) => SECRET.test(path.slice(path.lastIndexOf("/") + 1)))
    .map(({ path }) => ({ path, message: "A field that looks like a secret is sent as a header" }));
}

/** What some clients, and the APIs behind them, do not accept. */
export const clientRules: readonly DefinitionRule[] = defineDefinitionRules({
  "definition/input-schema-choice": {
    severity: "SHOULD",
    says: "An input schema has no `oneOf`, `anyOf` or `allOf` at its root",
    fix: "Put the choice into a property, or take all fields and check them in the tool.",
    source: "Anthropic and OpenAI API refuse the request; Claude Code leaves the tool out",
    judgeTools: each(judgeRootChoice),
  },
  "definition/property-names": {
    severity: "SHOULD",
    says: "The fields of an input schema are named with 1 to 64 of A-Z, a-z, 0-9, `_`, `-` and `.`",
    fix: 'Rename the field, such as "filter_id" for "filter[id]": one such field makes every request of the session fail.',
    source: "Anthropic API and Bedrock: property keys",
    judgeTools: each(judgePropertyNames),
  },
  "definition/array-items": {
    severity: "SHOULD",
    says: "Every list in an input schema says what its items are",
    fix: 'Add `items`, such as {"type": "array", "items": {"type": "string"}}.',
    source: "VS Code refuses the tool; OpenAI API refuses the request",
    judgeTools: each(judgeArrays),
  },
  "definition/format-known": {
    severity: "MAY",
    says: "Every `format` is one of JSON Schema 2020-12 or of OpenAPI",
    fix: "Say in the description what the text looks like, or write a `pattern`, and leave the format out.",
    source: "Clients with Ajv, such as opencode, ignore an unknown format and print a line for each",
    judgeTools: each(judgeFormats),
  },
  "definition/header": {
    severity: "MUST",
    era: "modern",
    says: "`x-mcp-header` names a header once, on a text, number or flag that is reached by properties alone",
    fix: "Correct the header's name or its place: clients leave the whole tool out.",
    source: "MCP 2026-07-28, Streamable HTTP: custom headers",
    untested: usesHeaders,
    judgeTools: each(judgeHeaders),
  },
  "definition/header-secret": {
    severity: "SHOULD",
    era: "modern",
    says: "No secret is sent as a header",
    fix: "Take `x-mcp-header` away: headers are seen by everything between client and server.",
    source: "MCP 2026-07-28, Streamable HTTP: custom headers",
    untested: usesHeaders,
    judgeTools: each(judgeSecretHeaders),
  },
});
