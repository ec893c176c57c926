import { type Violation, violate } from "../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { describeMember, describeValue } from "./message-values.ts";
import { rules } from "./rules.ts";

/** The violations of the result of `initialize`. */
export function checkInitialize(result: JsonObject, path: string): Violation[] {
  const { protocolVersion, capabilities, serverInfo } = result;
  const violations: Violation[] = [];
  if (typeof protocolVersion !== "string") {
    const found = describeMember("protocolVersion", protocolVersion);
    violations.push(violate(rules["initialize/protocol-version"], `${path}/protocolVersion`, found));
  }
  if (!isJsonObject(capabilities)) {
    const found = describeMember("capabilities", capabilities);
    violations.push(violate(rules["initialize/capabilities"], `${path}/capabilities`, found));
  }
  if (!isJsonObject(serverInfo)) {
    const found = describeMember("serverInfo", serverInfo);
    return [...violations, violate(rules["initialize/server-info"], `${path}/serverInfo`, found)];
  }
  for (const key of ["name", "version"]) {
    if (typeof serverInfo[key] === "string") continue;
    const found = describeMember(`serverInfo.${key}`, serverInfo[key]);
    violations.push(violate(rules["initialize/server-info"], `${path}/serverInfo/${key}`, found));
  }
  return violations;
}

/** The violations of the result of `tools/list`. */
export function checkToolsList({ tools, nextCursor }: JsonObject, path: string): Violation[] {
  return [...checkTools(tools, `${path}/tools`), ...checkNextCursor(nextCursor, `${path}/nextCursor`)];
}

function checkNextCursor(nextCursor: JsonValue | undefined, place: string): Violation[] {
  if (nextCursor === undefined || typeof nextCursor === "string") return [];
  return [violate(rules["tools-list/next-cursor"], place, describeMember("nextCursor", nextCursor))];
}

function checkTools(tools: JsonValue | undefined, place: string): Violation[] {
  if (!Array.isArray(tools))
    return [violate(rules["tools-list/tools"], place, describeMember("tools", tools))];
  const names = new Set<string>();
  return (tools as readonly JsonValue[]).flatMap((tool, index) => {
    const at = `${place}/${index}`;
    if (!isJsonObject(tool))
      return [violate(rules["tools-list/tools"], at, `The tool is ${describeValue(tool)}`)];
    return [...checkName(tool, at, names), ...checkDescription(tool, at), ...checkInputSchema(tool, at)];
  });
}

function checkName({ name }: JsonObject, at: string, names: Set<string>): Violation[] {
  const place = `${at}/name`;
  if (typeof name !== "string" || name === "") {
    return [violate(rules["tools-list/name"], place, describeMember("name", name))];
  }
  if (names.has(name)) {
    return [
      violate(
        rules["tools-list/name-unique"],
        place,
        `${describeValue(name)} is the name of an earlier tool`,
      ),
    ];
  }
  names.add(name);
  return [];
}

function checkDescription({ description }: JsonObject, at: string): Violation[] {
  if (typeof description === "string" && description.trim() !== "") return [];
  const found = describeMember("description", description);
  return [violate(rules["tools-list/description"], `${at}/description`, found)];
}

function checkInputSchema({ inputSchema }: JsonObject, at: string): Violation[] {
  const place = `${at}/inputSchema`;
  if (!isJsonObject(inputSchema)) {
    return [violate(rules["tools-list/input-schema"], place, describeMember("inputSchema", inputSchema))];
  }
  if (inputSchema["type"] === "object") return [];
  const found = describeMember("inputSchema.type", inputSchema["type"]);
  return [violate(rules["tools-list/input-schema"], `${place}/type`, found)];
}

export interface ResultContext {
  readonly method: string | undefined;
  /** The rules of tool results, which belong to the dialect; paths are relative to the result. */
  readonly checkToolResult: ((result: JsonValue) => readonly Violation[]) | undefined;
}

/** The violations of a response's `result`, by the method it answers. */
export function checkResult(result: JsonValue, path: string, context: ResultContext): Violation[] {
  if (!isJsonObject(result)) {
    return [violate(rules["jsonrpc/result-type"], path, describeMember("result", result))];
  }
  switch (context.method ?? inferMethod(result)) {
    case "initialize":
      return checkInitialize(result, path);
    case "tools/list":
      return checkToolsList(result, path);
    case "tools/call":
      return checkToolCall(result, path, context);
    case undefined:
    default:
      return [];
  }
}

function inferMethod(result: JsonObject): string | undefined {
  const { tools, protocolVersion, content } = result;
  if (Array.isArray(tools)) return "tools/list";
  if (protocolVersion !== undefined) return "initialize";
  if (content !== undefined) return isClientResult(result) ? undefined : "tools/call";
  return tools === undefined ? undefined : "tools/list";
}

/** A client's result of sampling has a `role` beside its `content`; a result of elicitation has an `action`. */
function isClientResult({ role, action }: JsonObject): boolean {
  return typeof role === "string" || typeof action === "string";
}

function checkToolCall(result: JsonObject, path: string, { checkToolResult }: ResultContext): Violation[] {
  if (checkToolResult === undefined || !isCompleteCall(result)) return [];
  return checkToolResult(result).map((violation) => ({ ...violation, path: `${path}${violation.path}` }));
}

/** A call that asks for input or became a task has no tool result yet (MCP 2026-07-28; 2025-11-25 for `task`). */
export function isCompleteCall({ resultType, task, content }: JsonObject): boolean {
  if (typeof resultType === "string") return resultType === "complete";
  return !(isJsonObject(task) && content === undefined);
}
