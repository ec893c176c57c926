import { parse as parseJsonc, type ParseError, printParseErrorCode } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { configSchema, resolveConfig } from "../../src/engine/settings/index.ts";
import { validateMessage, validateResponse } from "../../src/index.ts";
import { isJsonObject, type JsonObject } from "../../src/core/json/json-value.ts";
import { allBlocks, type Block, placeOf } from "./read-blocks.ts";
import { isTakenBy } from "./treatment.ts";

const blocks = allBlocks.filter((block) => isTakenBy(block, "data"));

/** A block may have several values, one to a line or each under a comment; a lone `"key": value` means its object. */
function textsOf({ code }: Block): string[] {
  const text = code.trim();
  if (/^"[\w-]+":/.test(text)) return [`{${text}}`];
  const parts = text.split(/\n(?=\/\/ )/);
  return parts.length > 1 && parts.every((part) => /^\/\/ [^\n]*\n[{[]/.test(part)) ? parts : [text];
}

function valuesOf(block: Block): unknown[] {
  if (block.language === "yaml") return [parseYaml(block.code)];
  return textsOf(block).map((text) => {
    if (block.language === "json") return JSON.parse(text) as unknown;
    const problems: ParseError[] = [];
    const value: unknown = parseJsonc(text, problems, { allowTrailingComma: true });
    if (problems.length > 0)
      throw new Error(problems.map(({ error }) => printParseErrorCode(error)).join(", "));
    return value;
  });
}

const configKeys = new Set(Object.keys(configSchema.def.shape));

/** Arguments of the retrieval tool name an archive by the digits of its hash. */
function isRetrieval({ archive }: JsonObject): boolean {
  return typeof archive === "string" && /^[0-9a-f]{8,64}$/.test(archive);
}

/** What a value says it is; the rest only has to parse. */
const judges: readonly {
  readonly name: string;
  readonly is: (value: JsonObject) => boolean;
  readonly problemsOf: (value: JsonObject) => readonly unknown[];
}[] = [
  {
    name: "an envelope",
    is: (value) => "success" in value && "data" in value && "meta" in value,
    problemsOf: (value) =>
      validateResponse(value, { dialect: "response-v2" }).violations.filter(
        ({ severity }) => severity === "MUST",
      ),
  },
  {
    name: "a JSON-RPC message",
    is: (value) => "jsonrpc" in value,
    problemsOf: (value) => validateMessage(value).violations.filter(({ severity }) => severity === "MUST"),
  },
  {
    name: "a configuration",
    is: (value) =>
      Object.keys(value).length > 0 &&
      Object.keys(value).every((key) => configKeys.has(key)) &&
      !isRetrieval(value),
    problemsOf: (value) => {
      try {
        resolveConfig({ waybill: { file: "/repo/waybill.config.json", text: JSON.stringify(value) } });
        return [];
      } catch (error) {
        return [String(error)];
      }
    },
  },
];

/** What does not parse has a test of its own. */
function readable(block: Block): unknown[] {
  try {
    return valuesOf(block);
  } catch {
    return [];
  }
}

const judged = blocks.flatMap((block) =>
  readable(block)
    .filter(isJsonObject)
    .flatMap((value) =>
      judges.filter(({ is }) => is(value)).map((judge) => ({ ...judge, value, place: placeOf(block) })),
    ),
);

describe("the data of the manual", () => {
  it("parses", () => {
    expect(blocks.length).toBeGreaterThan(20);
    const wrong = blocks.flatMap((block) => {
      try {
        return valuesOf(block).length > 0 ? [] : [`${placeOf(block)}: nothing`];
      } catch (error) {
        return [`${placeOf(block)}: ${String(error)}`];
      }
    });
    expect(wrong).toEqual([]);
  });

  it.each(judged)("$place is valid as $name", ({ problemsOf, value }) => {
    expect(problemsOf(value)).toEqual([]);
  });

  it("has some of each kind that can be judged", () => {
    expect([...new Set(judged.map(({ name }) => name))].toSorted()).toEqual(
      judges.map(({ name }) => name).toSorted(),
    );
  });
});
