import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type Family, commandOf, connectTo } from "./python-servers.fixture.ts";

// What is asked of each server, and what it says of its own accord. The files are those of `makeProject`.

export const toolsOf: Record<Family, readonly string[]> = {
  foundry: ["spec_get", "task_query", "research_report", "review"],
  scalpel: ["analyze_code", "security_scan", "extract_code"],
  drf: ["customers_list", "customers_retrieve", "customers_destroy", "orders_list", "orders_retrieve"],
};
export const success: Record<Family, readonly [string, JsonObject]> = {
  foundry: ["spec_get", { spec_id: "my-feature" }],
  scalpel: ["extract_code", { path: "store.py", symbol: "load" }],
  drf: ["customers_retrieve", { kwargs: { pk: "1" } }],
};
export const failure: Record<Family, readonly [string, JsonObject]> = {
  foundry: ["spec_get", { spec_id: "no-such-spec" }],
  scalpel: ["extract_code", { path: "/missing.py", symbol: "main" }],
  drf: ["customers_retrieve", { kwargs: { pk: "999999" } }],
};
export const large: Record<Family, readonly [string, JsonObject]> = {
  foundry: ["research_report", {}],
  scalpel: ["analyze_code", { path: "large.py" }],
  drf: ["orders_list", {}],
};
const extracted = "def load(raw):\n    return pickle.loads(raw)";
export const dataOf: Record<Family, unknown> = {
  foundry: { spec: { spec_id: "my-feature", title: "Sign in and out", folder: "active" }, tasks: 2 },
  scalpel: { symbol: "load", line: 3, code: extracted },
  drf: { id: 1, name: "Alice", email: "alice@example.com" },
};
export const messageOf: Record<Family, string> = {
  foundry: "Spec not found: no-such-spec",
  scalpel: "File not found: /missing.py",
  drf: "ViewSet returned error: {'detail': 'Not found.'}",
};

/** What a server itself answers to these calls, by a client without a gateway. */
export async function askDirectly(
  family: Family,
  project: string,
  env: Readonly<Record<string, string>> = {},
) {
  const client = await connectTo(commandOf(family, project), env);
  const call = async ([name, args]: readonly [string, JsonObject]): Promise<JsonObject> =>
    (await client.callTool({ name, arguments: args })) as JsonObject;
  return { client, call };
}
