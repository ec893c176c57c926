import { isJsonObject } from "../json/json-value.ts";
import type { ToolConfig } from "./tool-definition.ts";

/** Widgets are written for their tool's own data, so an envelope would blank them. */
export function isWidget(config: ToolConfig): boolean {
  const meta = config._meta ?? {};
  const ui = meta["ui"];
  return meta["openai/outputTemplate"] !== undefined || (isJsonObject(ui) && ui["resourceUri"] !== undefined);
}
