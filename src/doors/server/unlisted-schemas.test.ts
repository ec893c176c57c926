import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { StandardSchema } from "../../engine/settings/standard-schema.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
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

describe("an input schema", () => {
  it("that JSON Schema has no words for is still what checks the arguments", async () => {
    const tool = defineTool(
      "since",
      { description: "t", inputSchema: z.object({ at: z.coerce.date() }) },
      ({ at }) => ({ year: at.getUTCFullYear() }),
    );
    const server = new McpServer({ name: "t", version: "1.0.0" });
    expect(() => createContract({ tools: [tool], logLevel: "silent" }).server(server)).not.toThrow();
    expect((await runTool(tool, { at: "2026-11-15" })).envelope).toMatchObject({ data: { year: 2026 } });
    expect((await runTool(tool, { at: "yesterday" })).envelope).toMatchObject({
      success: false,
      data: { error_type: "validation" },
    });
  });

  it("of something other than an object is refused by the tool's name", () => {
    const tool = defineTool("echo", { description: "t", inputSchema: z.string() }, () => ({}));
    const server = new McpServer({ name: "t", version: "1.0.0" });
    expect(() => createContract({ tools: [tool], logLevel: "silent" }).server(server)).toThrow(
      /^echo: its inputSchema is of type "string"/,
    );
  });
});
