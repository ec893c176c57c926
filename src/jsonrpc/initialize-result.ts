import type { JsonObject } from "../json/json-value.ts";
import { assertResult } from "./assert-result.ts";
import { checkInitialize } from "./check-initialize.ts";

interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: ServerInfo;
  readonly instructions?: string;
}

/** The result of `initialize`. */
export function initializeResult(options: InitializeResult): InitializeResult {
  const { protocolVersion, capabilities, serverInfo, instructions } = options;
  const result = { protocolVersion, capabilities, serverInfo };
  const whole = instructions === undefined ? result : { ...result, instructions };
  assertResult(whole, checkInitialize);
  return whole;
}
