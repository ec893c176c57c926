import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { StandardSchema } from "../engine/standard-schema.ts";
import { defineTool } from "../engine/tool-definition.ts";
import { runTool } from "../testing/run-tool.ts";
import { createContract } from "./create-contract.ts";

/** As Valibot gives its schemas: a validator without a JSON Schema. */
const valibot: StandardSchema<unknown, unknown> = {
  "~standard": { version: 1, vendor: "valibot", validate: (value) => ({ value }) },
};

function register(outputSchema: StandardSchema): void {
  const server = createContract({ logLevel: "silent" }).server(
    new McpServer({ name: "t", version: "1.0.0" }),
  );
  server.registerTool("report", { description: "t", outputSchema }, () => ({}) as never);
}

describe("an output schema that tools/list cannot show", () => {
  it.each([
    ["a date", z.object({ at: z.date() }), "z.iso.datetime()"],
    ["a transform without a pipe", z.object({ at: z.string().transform((text) => text.length) }), ".pipe("],
    ["a Map", z.object({ at: z.map(z.string(), z.number()) }), "Describe what is sent"],
    ["a schema without JSON Schema", valibot, "toStandardJsonSchema(schema)"],
  ])("is refused at registration, with the tool's name and what to do: %s", async (_, schema, fix) => {
    expect(() => register(schema)).toThrow(fix);
    expect(() => register(schema)).toThrow(/^report: its outputSchema /);
    const tool = defineTool("report", { description: "t", outputSchema: schema }, () => ({}) as never);
    expect(() =>
      createContract({ tools: [tool] }).server(new McpServer({ name: "t", version: "1" })),
    ).toThrow(fix);
    await expect(runTool(tool)).rejects.toThrow(fix);
  });

  it("is fine once it says what is sent", () => {
    const dated = z.date().transform((at) => at.toISOString());
    expect(() => register(z.object({ at: dated.pipe(z.iso.datetime()) }))).not.toThrow();
    expect(() => register(z.object({ at: z.iso.datetime() }))).not.toThrow();
  });
});
