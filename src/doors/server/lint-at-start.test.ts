import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { createLog } from "../../engine/observe/log-event.ts";
import { createContract } from "./create-contract.ts";
import { digestTool, isDigestTool } from "./digest-tool.ts";
import { lintSoon, logFindings, logReaders } from "./serve.ts";

const inputSchema = z.object({ id: z.string() });
const good = defineTool("task_get", { description: "One task by its id", inputSchema }, ({ id }) => ({ id }));
/** Says that it only reads, and is named after a change. */
const odd = (name: string) =>
  defineTool(
    name,
    { description: "Deletes a task", inputSchema, annotations: { readOnlyHint: true } },
    () => ({}),
  );

function hearing() {
  const heard: { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  const hear = (fields: object, event: string): void => void heard.push({ event, fields: { ...fields } });
  return { heard, log: createLog({ logger: { info: () => undefined, warn: hear, error: hear } }) };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("what a server says of its tools at the start", () => {
  it("is nothing where they are good", async () => {
    const { heard, log } = hearing();
    await logFindings(createContract({ tools: [good] }), log);
    expect(heard).toEqual([]);
  });

  it("names the tool, the rule and what to do", async () => {
    const { heard, log } = hearing();
    await logFindings(createContract({ tools: [odd("task_delete")] }), log);
    expect(heard[0]).toEqual({
      event: "tool-finding",
      fields: expect.objectContaining({
        tool: "task_delete",
        rule: expect.any(String),
        message: expect.any(String),
        hint: expect.any(String),
      }),
    });
  });

  it("says which readers the digest tool lacks, and how to install them", () => {
    const { heard, log } = hearing();
    logReaders(log, { present: ["html", "markdown"], missing: ["pdf"] });
    logReaders(log, { present: ["html", "markdown", "pdf"], missing: [] });
    logReaders(log, undefined);
    expect(heard).toEqual([
      {
        event: "digest-readers",
        fields: {
          present: ["html", "markdown"],
          missing: ["pdf"],
          hint: "The digest tool reads plain text without them. For these: npm i unpdf@1.7.0",
        },
      },
    ]);
    expect([good, digestTool(), digestTool({ name: "condense" })].map(isDigestTool)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("has at most 20 lines, and the number of the others", async () => {
    const { heard, log } = hearing();
    const tools = Array.from({ length: 25 }, (_, n) => odd(`task_delete_${n}`));
    await logFindings(createContract({ tools }), log);
    expect(heard.filter(({ event }) => event === "tool-finding")).toHaveLength(20);
    expect(heard.at(-1)).toEqual({
      event: "tool-findings-more",
      fields: { count: expect.any(Number), hint: "waybill lint shows all of them." },
    });
  });

  it("is called off with the server", async () => {
    vi.useFakeTimers();
    const { heard, log } = hearing();
    lintSoon(createContract({ tools: [odd("task_delete")] }), log)();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(heard).toEqual([]);
  });
});
