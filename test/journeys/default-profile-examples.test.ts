import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { ErrorEnvelope, SuccessEnvelope } from "../../src/core/contract/envelope.ts";
import { errorResponse } from "../../src/core/contract/tool-fault.ts";
import { successResponse } from "../../src/core/contract/success-responses.ts";
import type { NoteOptions } from "../../src/core/contract/note-options.ts";
import { type EmptyMetaKey, emptyMetaKeys } from "../../src/core/contract/outcome.ts";
import { contractClient } from "../../src/doors/client/index.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { defineTool } from "../../src/doors/server/index.ts";
import { runTool } from "../../src/doors/testing/run-tool.ts";
import { contentOf, fixtures } from "./clients/seed-examples.ts";

interface Printed {
  readonly success: boolean;
  readonly data: JsonObject;
  readonly error: string | null;
  readonly meta: JsonObject & { readonly request_id?: string };
}

const examples = fixtures.filter(({ dialect, level }) => dialect === "response-v2" && level === "envelope");

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** What a tool's author writes to get the example: the source's parameters, in our spelling. */
function optionsFor(meta: Printed["meta"]): NoteOptions {
  const named = {
    warnings: meta["warnings"] ?? (meta["warning_details"] === undefined ? undefined : false),
    warningDetails: meta["warning_details"],
    pagination: meta["pagination"],
    rateLimit: meta["rate_limit"],
    telemetry: meta["telemetry"],
    contentFidelity: meta["content_fidelity"],
    droppedContentIds: meta["dropped_content_ids"],
    contentArchiveHashes: meta["content_archive_hashes"],
    requestId: meta["request_id"] ?? false,
    emitEmpty: emptyMetaKeys.filter((key: EmptyMetaKey) => isEmpty(meta[key])),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

function build({ success, data, error, meta }: Printed): SuccessEnvelope | ErrorEnvelope {
  const options = optionsFor(meta);
  if (success) return successResponse(data, options);
  return errorResponse(error ?? "", { ...options, data });
}

/** An example that shows no id is answered with one all the same: 001 and 004 say that it should be there. */
function asCalled(printed: Printed, answered: Printed): Printed {
  const { request_id: id } = answered.meta;
  return printed.meta.request_id === undefined && id !== undefined
    ? { ...printed, meta: { ...printed.meta, request_id: id } }
    : printed;
}

describe("every example of documents 001 and 004", () => {
  it("is here", () => {
    expect(examples).toHaveLength(37);
  });

  it.each(examples)("is built by the helpers: $file", ({ file }) => {
    const printed = contentOf(file) as unknown as Printed;
    expect(build(printed)).toEqual(printed);
  });

  it.each(examples)("is what a tool sends under the default profile: $file", async ({ file }) => {
    const printed = contentOf(file) as unknown as Printed;
    const tool = defineTool("example", { description: "Answers.", inputSchema: z.object({}) }, () =>
      build(printed),
    );
    const { envelope, result } = await runTool(tool);
    expect(result["_meta"]).toMatchObject({
      "waybill/contract": { dialect: "response-v2", profile: "standard" },
    });
    const answered = envelope as unknown as Printed;
    expect(answered).toEqual(asCalled(printed, answered));
  });
});

// shows 004.57
it("a page that a server sends without `error`, as document 004 prints it, is read by the client", async () => {
  const sent = contentOf("004-L274a-pagination-as-printed.json") as JsonObject;
  expect(sent).not.toHaveProperty("error");
  const client = contractClient(async () => ({
    content: [{ type: "text", text: JSON.stringify(sent) }],
    structuredContent: sent,
  }));
  const { data, pagination } = await client.call("task", {});
  expect(data).toEqual(sent["data"]);
  expect(pagination).toMatchObject({ has_more: true, page_size: 20, total_count: 150 });
});
