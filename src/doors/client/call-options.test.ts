import { describe, expect, it } from "vitest";
import { successResponse } from "../../core/contract/success-responses.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { contractClient } from "./contract-client.ts";

const structuredContent = successResponse({ items: [1] }) as unknown as JsonObject;
const client = contractClient(async () => ({
  content: [{ type: "text", text: JSON.stringify(structuredContent) }],
  structuredContent,
}));

/** As a program without types would write it. */
const loose = (options: Record<string, unknown>): never => options as never;

const methods: Readonly<Record<string, (options: never) => Promise<unknown>>> = {
  call: (options) => client.call("list", {}, options),
  pages: (options) => client.pages("list", {}, options).next(),
  items: (options) => client.items("list", {}, options).next(),
  complete: async (options) => client.complete(await client.call("list", {}), options),
  retrieve: async (options) => client.retrieve(await client.call("list", {}), [], options),
  ask: async (options) => client.ask(await client.call("list", {}), "items", options),
};

describe.each(Object.entries(methods))("%s()", (name, run) => {
  it("refuses an option that it does not know, and says which was meant", async () => {
    await expect(run(loose({ timeout_ms: 5 }))).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: `${name}(): "timeout_ms" is 5. There is no such option: write "timeoutMs".`,
    });
  });

  it("names all its options where none is meant", async () => {
    await expect(run(loose({ retries: 5 }))).rejects.toThrow(
      "choose one of signal, timeoutMs, maxArchiveBytes",
    );
  });

  it("refuses a value of another kind", async () => {
    await expect(run(loose({ timeoutMs: "5 s" }))).rejects.toThrow(
      `${name}(): "timeoutMs" is "5 s". Write a number of at least 0.`,
    );
  });

  it("takes its options", async () => {
    await expect(run(loose({ timeoutMs: 500, signal: undefined }))).resolves.toBeDefined();
  });
});
