import { expect, test } from "vitest";
import * as z from "zod";
import { assertOutput } from "./assert-output.ts";

const schema = z.object({ id: z.number() });

test("data that only resembles an envelope is judged by the tool's output schema", () => {
  const resembling = { success: true, error: null, meta: { rows: 3 } };
  expect(() => assertOutput(resembling, schema)).toThrow("breaks its output schema at id");
});

test("an envelope of the handler's own is not judged by it", () => {
  const envelope = { success: true, data: { any: 1 }, error: null, meta: { version: "response-v2" } };
  expect(() => assertOutput(envelope, schema)).not.toThrow();
});
