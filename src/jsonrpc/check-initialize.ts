import { violate, type Violation } from "../contract/rule.ts";
import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { describeMember } from "./describe-value.ts";
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
