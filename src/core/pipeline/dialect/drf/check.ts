import { type Violation, defineRules, violate } from "../../../contract/rule.ts";
import { type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import { parseJson } from "../../../json/parse-json.ts";
import { resultRules } from "../result-rules.ts";

export const ERROR_PREFIX = "Error executing tool: ";

const source = "seed 003, MCP Tool Level Schemas";

const drfRules = defineRules("result", {
  "drf/content": {
    severity: "MUST",
    says: "content is a list of at least one item.",
    fix: "Send one text item.",
    source,
  },
  "drf/item-type": {
    severity: "MUST",
    says: "Each item's type is text.",
    fix: "Send the item as text.",
    source,
  },
  "drf/item-text": {
    severity: "MUST",
    says: "Each item has a text.",
    fix: "Put the JSON of the result, or the error, into text.",
    source,
  },
  "drf/success-json": {
    severity: "MUST",
    says: "A success's text is JSON.",
    fix: "Serialise the result as JSON.",
    source,
  },
  "drf/success-flag": {
    severity: "MUST",
    says: "A success has no isError.",
    fix: "Leave isError out.",
    source,
  },
  "drf/error-prefix": {
    severity: "MUST",
    says: 'A failure\'s text starts with "Error executing tool: ".',
    fix: "Put the prefix before the message.",
    source,
  },
  "drf/error-flag": {
    severity: "MUST",
    says: "A failure has isError: true.",
    fix: "Set isError to true.",
    source,
  },
});

const own = drfRules;
export const rules = [
  resultRules["result/object"],
  resultRules["result/is-error-type"],
  ...Object.values(drfRules),
];

function checkItem(item: JsonValue, path: string): Violation[] {
  if (!isJsonObject(item) || item["type"] !== "text") {
    return [violate(own["drf/item-type"], path, "The item is not of type text")];
  }
  return typeof item["text"] === "string"
    ? []
    : [violate(own["drf/item-text"], path, "The item has no text")];
}

function checkSuccess(texts: readonly string[], isError: boolean | undefined): Violation[] {
  if (texts.some((text) => text.startsWith(ERROR_PREFIX))) {
    return [violate(own["drf/error-flag"], "/isError", "An error text comes without isError: true")];
  }
  const found = texts.flatMap((text, index) =>
    parseJson(text).ok
      ? []
      : [violate(own["drf/success-json"], `/content/${index}/text`, "The text is not JSON")],
  );
  if (isError === undefined) return found;
  return [violate(own["drf/success-flag"], "/isError", "A success carries isError"), ...found];
}

function checkFailure(texts: readonly string[]): Violation[] {
  return texts.flatMap((text, index) => {
    if (text.startsWith(ERROR_PREFIX)) return [];
    return [violate(own["drf/error-prefix"], `/content/${index}/text`, "The error text lacks its prefix")];
  });
}

export function check(json: JsonValue): Violation[] {
  if (!isJsonObject(json)) return [violate(resultRules["result/object"], "", "The result is not an object")];
  const { content, isError } = json;
  if (isError !== undefined && typeof isError !== "boolean") {
    return [violate(resultRules["result/is-error-type"], "/isError", "isError is not a boolean")];
  }
  if (!Array.isArray(content) || content.length === 0) {
    return [violate(own["drf/content"], "/content", "content is missing or empty")];
  }
  const items = content.flatMap((item, index) => checkItem(item, `/content/${index}`));
  if (items.length > 0) return items;
  const texts = content.map((item) => (item as { text: string }).text);
  return isError === true ? checkFailure(texts) : checkSuccess(texts, isError);
}
