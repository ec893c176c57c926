import { violate, type Violation } from "../contract/rule.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { describeMember, describeValue } from "./describe-value.ts";
import { rules } from "./rules.ts";

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
  if (typeof description === "string" && description !== "") return [];
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
