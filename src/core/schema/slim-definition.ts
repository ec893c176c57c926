// A tool's definition in fewer words, as a model needs it: its name, its description and the arguments it takes. Promises
// that name and order of arguments stay, and that exactly the same arguments are accepted.

import type { JsonObject } from "../json/json-value.ts";
import { isJsonObject } from "../json/json-value.ts";
import { slimSchema } from "./slim-schema.ts";
import { tidyText } from "./slim-words.ts";

/** The same definition with fewer words; members that no model is shown, such as annotations, stay as they are. */
export function slimDefinition(tool: JsonObject): JsonObject {
  const { name, description, inputSchema } = tool;
  const text = typeof description === "string" ? tidyText(description) : "";
  return {
    ...tool,
    ...(typeof description === "string" ? { description: text } : {}),
    ...(isJsonObject(inputSchema)
      ? {
          inputSchema: slimSchema(inputSchema, {
            name: typeof name === "string" ? name : "",
            description: text,
          }),
        }
      : {}),
  };
}
