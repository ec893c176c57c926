import { describe, expect, it } from "vitest";
import * as z from "zod";
import { jsonSchemaOf, acceptingSchema } from "./standard-schema.ts";

const draft = "https://json-schema.org/draft/2020-12/schema";

describe("jsonSchemaOf", () => {
  it("keeps the JSON Schema dialect of an input, as the SDK does", () => {
    expect(jsonSchemaOf(z.object({ a: z.number() }), "input")).toMatchObject({
      $schema: draft,
      type: "object",
    });
  });

  it("drops it from an output, which moves into the envelope's schema", () => {
    const schema = jsonSchemaOf(z.object({ a: z.number() }), "output");
    expect(schema).toMatchObject({ type: "object" });
    expect(schema).not.toHaveProperty("$schema");
  });

  it("is undefined where the library cannot say", () => {
    const mute = {
      "~standard": { version: 1, vendor: "mute", validate: (value: unknown) => ({ value }) },
    } as const;
    expect(jsonSchemaOf(mute, "input")).toBeUndefined();
    expect(jsonSchemaOf(undefined, "input")).toBeUndefined();
  });
});

describe("openSchema", () => {
  it("advertises what it is given and takes anything", async () => {
    const schema = acceptingSchema({ type: "object" });
    expect(jsonSchemaOf(schema, "input")).toEqual({ type: "object" });
    expect(await schema["~standard"].validate(5)).toEqual({ value: 5 });
  });

  it("says less of arguments that JSON Schema has no words for", () => {
    const schema = z.object({ since: z.coerce.date(), limit: z.number() });
    expect(jsonSchemaOf(schema, "input")).toMatchObject({
      type: "object",
      properties: { since: {}, limit: { type: "number" } },
    });
  });

  it("says nothing of arguments where a library can say nothing", () => {
    const refuse = (): never => {
      throw new Error("no words for it");
    };
    const mute = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: refuse, output: refuse },
      },
    } as const;
    expect(jsonSchemaOf(mute, "input")).toEqual({ type: "object" });
  });
});
