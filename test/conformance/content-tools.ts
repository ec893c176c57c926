import { setTimeout as sleep } from "node:timers/promises";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { type FixtureTool, textResult } from "./fixture-tool.ts";
import { PNG_BASE64, WAV_BASE64 } from "./sample-media.ts";

const STEP_MS = 50;

// The suite compares these keywords with what tools/list shows (SEP-1613, SEP-2106).
const schema202012 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const region = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
  required: ["region"],
};

/** Tools that answer at once, each with one kind of content. */
export const contentTools: readonly FixtureTool[] = [
  {
    name: "test_simple_text",
    description: "Answers with one text block",
    run: () => textResult("This is a simple text response for testing."),
  },
  {
    name: "test_image_content",
    description: "Answers with an image",
    run: () => ({ content: [{ type: "image", data: PNG_BASE64, mimeType: "image/png" }] }),
  },
  {
    name: "test_audio_content",
    description: "Answers with audio",
    run: () => ({ content: [{ type: "audio", data: WAV_BASE64, mimeType: "audio/wav" }] }),
  },
  {
    name: "test_embedded_resource",
    description: "Answers with an embedded resource",
    run: () => ({
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    }),
  },
  {
    name: "test_multiple_content_types",
    description: "Answers with text, an image and a resource",
    run: () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: PNG_BASE64, mimeType: "image/png" },
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  },
  {
    name: "test_error_handling",
    description: "Always throws",
    run: () => {
      throw new Error("This tool intentionally returns an error for testing");
    },
  },
  {
    name: "json_schema_2020_12_tool",
    description: "Takes input described with JSON Schema 2020-12",
    inputSchema: fromJsonSchema(schema202012),
    run: (args) => textResult(JSON.stringify(args)),
  },
  {
    name: "test_x_mcp_header",
    description: "Takes an argument that also travels as an HTTP header",
    inputSchema: fromJsonSchema(region),
    run: (args) => textResult(JSON.stringify(args)),
  },
];

/** Tools that say something while they run. */
export const runningTools: readonly FixtureTool[] = [
  {
    name: "test_tool_with_progress",
    description: "Reports progress in three steps",
    run: async (_args, { progress }) => {
      await progress(0, 100);
      await sleep(STEP_MS);
      await progress(50, 100);
      await sleep(STEP_MS);
      await progress(100, 100);
      await sleep(STEP_MS);
      return textResult("Tool with progress finished");
    },
  },
  {
    name: "test_tool_with_logging",
    description: "Sends three log messages",
    run: async (_args, { sdk }) => {
      await sdk.mcpReq.log("info", "Tool execution started");
      await sleep(STEP_MS);
      await sdk.mcpReq.log("info", "Tool processing data");
      await sleep(STEP_MS);
      await sdk.mcpReq.log("info", "Tool execution completed");
      return textResult("Tool with logging finished");
    },
  },
  {
    name: "test_logging_tool",
    description: "Logs, where the request asks for logs",
    run: async (_args, { sdk }) => {
      await sdk.mcpReq.log("info", "One message");
      return textResult("Logged");
    },
  },
  {
    name: "test_reconnection",
    description: "Closes its stream before it answers",
    run: async (_args, { sdk }) => {
      sdk.http?.closeSSE?.();
      await sleep(2 * STEP_MS);
      return textResult("Answered after the stream was closed");
    },
  },
];
