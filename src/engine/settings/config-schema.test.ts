import { describe, expect, it } from "vitest";
import * as z from "zod";
import { optionalNotes } from "../../core/contract/profile.ts";
import { configSchema } from "./config-schema.ts";
import { noteNames } from "./resolve-settings.ts";

type Schema = {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  description?: string;
};

function undescribed(schema: Schema, path: string): string[] {
  const inner = Object.entries(schema.properties ?? {});
  const named =
    typeof schema.additionalProperties === "object"
      ? undescribed(schema.additionalProperties, `${path}.*`)
      : [];
  return [
    ...inner.filter(([, child]) => child.description === undefined).map(([key]) => `${path}.${key}`),
    ...inner.flatMap(([key, child]) => undescribed(child, `${path}.${key}`)),
    ...named,
  ];
}

describe("configSchema", () => {
  const json = z.toJSONSchema(configSchema, { io: "input" }) as Schema;

  it("becomes a JSON Schema in which every key is described", () => {
    expect(undescribed(json, "config")).toEqual([]);
    expect(json.additionalProperties).toBe(false);
  });

  it("names every optional note of the contract", () => {
    expect(Object.values(noteNames).sort()).toEqual([...optionalNotes].sort());
  });
});
