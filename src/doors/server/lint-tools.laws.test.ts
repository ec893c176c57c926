import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import { acceptingSchema } from "../../engine/settings/standard-schema.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { lintTools } from "./lint-tools.ts";

const anyJson = fc.object({ withNullPrototype: false, maxDepth: 4 }).map((value) => value as JsonObject);
const anySchema = fc.oneof(
  anyJson.map((json) => acceptingSchema(json)),
  anyJson.map((properties) => acceptingSchema({ type: "object", properties })),
  fc.anything(),
);

/** Tools as code without types could write them: some right, most half so, some nothing at all. */
const anyTool = fc.oneof(
  { weight: 1, arbitrary: fc.anything() },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        name: fc.oneof(fc.constantFrom("find", "Find", "list_all", "a.b", ""), fc.string()),
        config: fc.record(
          {
            description: fc.oneof(fc.string(), fc.anything()),
            inputSchema: anySchema,
            outputSchema: anySchema,
            annotations: fc.oneof(anyJson, fc.anything()),
            icons: fc.anything(),
            _meta: fc.oneof(anyJson, fc.anything()),
            paging: fc.oneof(fc.boolean(), fc.anything()),
            budget: fc.anything(),
          },
          { requiredKeys: [] },
        ),
        handler: fc.constant(() => ({})),
      },
      { requiredKeys: [] },
    ),
  },
);

test("whatever is in a list, findings come back, each with its words, and the same for the same list", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTool, { maxLength: 4 }), async (tools) => {
      const found = await lintTools(tools as AnyTool[]);
      for (const { rule, message, hint, severity } of found) {
        expect([rule, message, hint].every((text) => text.trim() !== "" && !text.includes("\n"))).toBe(true);
        expect(["error", "warning", "info"]).toContain(severity);
      }
      await expect(lintTools(tools as AnyTool[])).resolves.toEqual(found);
    }),
    lawRuns(1_000, 20),
  );
});
