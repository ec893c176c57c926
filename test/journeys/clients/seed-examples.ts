import { readFileSync } from "node:fs";
import type { DialectId } from "../../../src/core/contract/dialect-id.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json/json-value.ts";

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"));

/** One example of a seed, as the fixtures have it. */
export interface Fixture {
  readonly file: string;
  readonly seed: string;
  readonly line: number;
  readonly dialect: DialectId;
  readonly level: "envelope" | "result" | "message" | "request" | "config" | "digest" | "printed";
  readonly method?: string;
}

/** The call that reproduces an example, as the workshop's own list has it. */
export interface ExampleCall {
  readonly file: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly contract?: {
    readonly dialect?: DialectId;
    readonly profile?: string;
    readonly budget_tokens?: number;
  };
  readonly request_id?: string;
  /** Call it so often before the call that counts. */
  readonly before?: number;
  /** Send the cursor of the page before. */
  readonly next_page?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** The bearer token over HTTP; any will do where none is given. */
  readonly token?: string;
}

export const fixtures = read("test/fixtures/seeds/index.json") as readonly Fixture[];
export const exampleCalls = read("examples/workshop/examples.json") as readonly ExampleCall[];

export function fixtureOf(file: string): Fixture {
  const fixture = fixtures.find((candidate) => candidate.file === file);
  if (fixture === undefined) throw new Error(`There is no fixture ${file}`);
  return fixture;
}

export function contentOf(file: string): JsonValue {
  return read(`test/fixtures/seeds/${file}`) as JsonValue;
}

/** Examples that are no tool result at all: requests, configuration, and other methods' answers. */
export const otherExamples: readonly { readonly file: string; readonly why: string }[] = [
  { file: "002-L045-response-config.jsonc", why: "the workshop's own .code-scalpel/response_config.json" },
  { file: "003-L017-jsonrpc-success.json", why: "an answer to initialize, written by the SDK" },
  { file: "003-L034-jsonrpc-error.json", why: "a parse error, written by the SDK" },
  { file: "003-L107-initialize-result.json", why: "an answer to initialize, written by the SDK" },
  { file: "003-L122-tools-list-result.json", why: "an answer to tools/list: workshop-list-tools.test.ts" },
  { file: "003-L145-request-customers-list.json", why: "a request" },
  { file: "003-L178-request-customers-retrieve.json", why: "a request" },
  { file: "003-L212-request-invalid-method.json", why: "a request" },
  { file: "003-L223-response-method-not-found.json", why: "an unknown method, answered by the SDK" },
  { file: "004-L274a-pagination-as-printed.json", why: "read, never written: it has no error" },
];
