// A tool's definition in fewer words, as a model needs it: its name, its description and the arguments it takes. Promises
// that name and order of arguments stay, and that exactly the same arguments are accepted.

import { type JsonObject, isJsonObject, mapObject } from "../json/json-value.ts";
import { slimSchema } from "./slim-schema.ts";
import { tidyText } from "./slim-words.ts";

/** The same definition; members that no model is shown, such as annotations, stay as they are. */
export function slimDefinition(tool: JsonObject): JsonObject {
  const { name, description } = tool;
  const words = typeof description === "string" ? tidyText(description) : "";
  const about = { name: typeof name === "string" ? name : "", description: words };
  return mapObject(tool, (value, key) => {
    if (key === "description" && typeof value === "string") return words;
    const isSchema = key === "inputSchema" || key === "outputSchema";
    return isSchema && isJsonObject(value) ? slimSchema(value, about) : value;
  });
}
