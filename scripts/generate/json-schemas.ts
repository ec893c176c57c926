import * as z from "zod";
import { configSchema } from "../../src/engine/settings/config-schema.ts";
import { publishedScalpelSchema } from "../../src/engine/settings/scalpel-config.ts";
import { digestPayloadSchema } from "../../src/core/contract/digest-payload.ts";
import { dialects } from "../../src/core/pipeline/dialect/dialects.ts";
import type { GeneratedFile } from "./generated-file.ts";

const dialectOf = "https://json-schema.org/draft/2020-12/schema";

function toText(schema: z.core.$ZodType, title: string, io: "input" | "output"): string {
  // `z.custom` marks places that walks of our own check; their metadata gives the type.
  const json = z.toJSONSchema(schema, { unrepresentable: "any", io, reused: "inline" });
  const { $schema: _, ...rest } = json;
  // Deep as they are, a third of the schemas in the package would be spaces.
  return `${JSON.stringify({ $schema: dialectOf, title, ...rest }, null, "\t")}\n`;
}

/** One JSON Schema a dialect, one for digest payloads, one for each configuration file. */
export function jsonSchemas(): GeneratedFile[] {
  const files = Object.values(dialects).map((dialect) => ({
    path: `schemas/${dialect.id}.schema.json`,
    text: toText(dialect.schema, `${dialect.id}: ${dialect.says}`, "input"),
  }));
  return [
    ...files,
    {
      path: "schemas/digest-payload.schema.json",
      text: toText(
        digestPayloadSchema,
        "DigestPayload: a document condensed, with quotes that can be checked",
        "input",
      ),
    },
    {
      path: "schemas/waybill.config.schema.json",
      text: toText(configSchema, "waybill.config.json", "input"),
    },
    {
      path: "schemas/code-scalpel.response_config.schema.json",
      text: toText(publishedScalpelSchema, ".code-scalpel/response_config.json", "input"),
    },
  ];
}
