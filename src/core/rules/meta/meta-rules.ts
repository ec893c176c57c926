import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { conversationOf, type ServerRecord } from "../server-record.ts";
import { type RuleFinding, type ServerRule, type RuleVerdict, defineServerRules } from "../server-rule.ts";

const MAX_DEPTH = 12;

const PREFIX = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/;

/** The server's own data, in which `_meta` would be an ordinary key. */
const ownData = new Set(["structuredContent", "inputSchema", "outputSchema", "arguments", "requestedSchema"]);

interface MetaPlace {
  readonly path: string;
  readonly meta: JsonObject;
}

/** Every `_meta` of a message. */
function findMeta(value: JsonValue, path: string, depth: number): MetaPlace[] {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) =>
      findMeta(item, appendPointer(path, index), depth + 1),
    );
  }
  return Object.entries(value).flatMap(([key, child]) => {
    if (ownData.has(key)) return [];
    const place = appendPointer(path, key);
    if (key === "_meta") return isJsonObject(child) ? [{ path: place, meta: child }] : [];
    return findMeta(child, place, depth + 1);
  });
}

/** What is wrong with a key's spelling; undefined if nothing is. */
export function metaKeyProblem(key: string): string | undefined {
  const at = key.lastIndexOf("/");
  const prefix = at === -1 ? undefined : key.slice(0, at);
  const name = key.slice(at + 1);
  if (prefix !== undefined && !PREFIX.test(prefix)) return "its prefix is no row of labels with dots between";
  if (prefix === undefined && name === "") return "it is empty";
  if (!NAME.test(name))
    return "its name does not begin and end with a letter or digit, or has other characters";
  return undefined;
}

/** The labels that MCP reserves, used by others. */
export function isReservedKey(key: string): boolean {
  const prefix = key.slice(0, Math.max(0, key.lastIndexOf("/")));
  const second = prefix.split(".")[1];
  if (second !== "mcp" && second !== "modelcontextprotocol") return false;
  // Extensions of MCP add names here, so a name alone does not show who defined it.
  return !prefix.startsWith("io.modelcontextprotocol");
}

function judgeKeys(record: ServerRecord, judge: (key: string) => string | undefined): RuleVerdict {
  const { answers, fromServer } = conversationOf(record);
  const messages = [...answers.map(({ response }) => response), ...fromServer];
  const places = messages.flatMap((message) => findMeta(message, "", 0));
  if (places.length === 0) return { untested: "No message of the server has a `_meta`" };
  const found = new Map<string, RuleFinding>();
  for (const { path, meta } of places) {
    for (const key of Object.keys(meta)) {
      const problem = found.has(key) ? undefined : judge(key);
      if (problem !== undefined) found.set(key, { path: appendPointer(path, key), message: problem });
    }
  }
  return [...found.values()];
}

function quote(key: string): string {
  return JSON.stringify(key.slice(0, 80));
}

/** The keys that servers put into `_meta`. */
export const protocolMetaRules: readonly ServerRule[] = defineServerRules({
  "meta/keys": {
    severity: "MUST",
    says: "Keys of `_meta` have the form `prefix/name` or `name`",
    fix: 'Use your domain in reverse and a plain name, such as "com.example/requestId".',
    source: "MCP 2025-06-18, _meta",
    judge: (record) =>
      judgeKeys(record, (key) => {
        const problem = metaKeyProblem(key);
        return problem === undefined
          ? undefined
          : `The key ${quote(key)} of \`_meta\` is not legal: ${problem}`;
      }),
  },
  "meta/reserved-prefix": {
    severity: "MUST",
    says: "Keys of `_meta` do not use the prefixes that MCP keeps for itself",
    fix: 'Use a prefix whose second label is neither "mcp" nor "modelcontextprotocol", such as "com.example/".',
    source: "MCP 2025-11-25, _meta",
    judge: (record) =>
      judgeKeys(record, (key) =>
        isReservedKey(key) ? `The prefix of ${quote(key)} is reserved` : undefined,
      ),
  },
});
