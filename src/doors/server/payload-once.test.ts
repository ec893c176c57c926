import { afterEach, describe, expect, it, vi } from "vitest";
import { runTool } from "../testing/run-tool.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a payload on its way out", () => {
  it("is stringified once and never cloned", async () => {
    const payload = { records: [{ id: 1 }, { id: 2 }] };
    const tool = defineTool("records", { description: "Records" }, () => payload);
    const stringify = vi.spyOn(JSON, "stringify");
    const clone = vi.spyOn(globalThis, "structuredClone");
    const { result } = await runTool(tool, {}, { contract: { validate: "never", logLevel: "silent" } });
    const texts = stringify.mock.results.map(({ value }) => String(value));
    expect(texts.filter((text) => text.includes('"records":[{"id":1},{"id":2}]'))).toHaveLength(1);
    expect(clone).not.toHaveBeenCalled();
    expect((result["structuredContent"] as { data?: unknown }).data).toBe(payload);
  });
});
